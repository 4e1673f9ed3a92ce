import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startCommand } from "../../support/app/command.ts";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { noMount, skipReason, smallDisk } from "../../support/bridge/small-disk.ts";
import { processesNaming } from "../../support/machine/live-processes.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil, within } from "../../support/machine/wait-until.ts";
import { turn } from "../../support/wire/turn.ts";

const NOTICED_MS = 10_000;

it.each<[string, (home: string) => Promise<unknown>]>([
	["deleted", (home) => rm(home, { recursive: true, maxRetries: 5 })],
	["renamed", (home) => rename(home, `${home}.elsewhere`)],
])("a bridge whose home is %s says so within seconds, ends with its agents, and calls nothing completed", async (_, spoil) => {
	await using bridge = await startBridge({ providers: [unrulyAgent()] });
	const { xworkmate, path } = bridge.home;
	const client = bridge.client();
	const stream = await client.stream("session.start", turn({ prompt: "UNRULY:SAY so far ;; SLOW 30 100", providerId: "unruly" }));
	await stream.until("a word", ({ update }) => update.kind === "message_delta");
	await spoil(xworkmate);
	const end = await within("the end of the stream", NOTICED_MS, stream.ended);
	expect(end.kind).toBe("dropped");
	expect(stream.updates.map(({ status }) => status)).not.toContain("completed");
	await waitUntil("the end of the bridge and its agent", NOTICED_MS, async () =>
		(await processesNaming(path)).length === 0 ? true : undefined,
	);
	expect(bridge.output).toContain(
		`${join(xworkmate, "bridge", "bridge.sqlite")} was deleted, moved or unmounted while the bridge was running.`,
	);
});

it.skipIf(noMount !== undefined)(`a bridge whose disk is unmounted says so and ends${skipReason}`, async () => {
	await using disk = await smallDisk(16);
	await using bridge = await startBridge({ home: disk.home });
	disk.detach();
	await waitUntil("the end of the bridge", NOTICED_MS, async () =>
		(await processesNaming(disk.home.path)).length === 0 ? true : undefined,
	);
	expect(bridge.output).toContain("was deleted, moved or unmounted while the bridge was running.");
});

it("refuses a turn, and healthz says why, at once when the home is gone", async () => {
	await using bridge = await startBridge();
	await rm(bridge.home.xworkmate, { recursive: true, maxRetries: 5 });
	const [health, submitted] = await Promise.allSettled([
		bridge.client().http({ path: "/healthz" }),
		bridge.client().rpc("session.start", turn({ prompt: "return 1", providerId: "script" })),
	]);
	expect(submitted.status).toBe("rejected");
	if (health.status === "fulfilled") {
		expect(health.value.status).toBe(503);
		expect(JSON.parse(health.value.body.toString("utf8"))).toEqual({ status: "home_gone" });
	}
});

it("xworkmate start says that its home is gone and ends, and begins no empty one in its place", async () => {
	await using home = await temporaryHome();
	const command = startCommand(home, ["start"]);
	await command.until(/XWorkmate is running/);
	await rename(home.xworkmate, `${home.xworkmate}.elsewhere`);
	const { code, stderr } = await within("the end of xworkmate start", 30_000, command.ended);
	expect(code).toBe(1);
	expect(stderr).toContain(`${home.xworkmate} was deleted, moved or unmounted while XWorkmate was running. (HOME_GONE)`);
	expect(stderr).toContain("Put the folder back");
	await expect(stat(home.xworkmate)).rejects.toThrow("ENOENT");
	await waitUntil("the end of every process", NOTICED_MS, async () => ((await processesNaming(home.path)).length === 0 ? true : undefined));
});
