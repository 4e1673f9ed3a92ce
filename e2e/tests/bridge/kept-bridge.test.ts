import { expect, it } from "vitest";
import { runCommand } from "../../support/app/command.ts";
import { backWithin, clientOf, endOf } from "../../support/app/kept-bridge.ts";
import { poisonedQueue } from "../../support/app/poisoned-queue.ts";
import { startApp } from "../../support/app/started-app.ts";
import { sayLines } from "../../support/bridge/scripts.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { turn } from "../../support/wire/turn.ts";
import { TaskSnapshot } from "../../support/wire/wire.ts";

// The extended tests have the rest: a program that hangs the bridge, and both under an app that keeps running.
it(
	"an app started over a home whose queued prompt ends the bridge comes up, and gives up that prompt alone, by name",
	() => poisonedQueue({ signal: "SIGKILL", overnight: true }),
	120_000,
);

it("a bridge that is stopped in the middle of a run is ended and started again within ten seconds, and it is said", async () => {
	await using home = await temporaryHome();
	const startedAt = performance.now();
	await using app = await startApp(home);
	const bound = backWithin(performance.now() - startedAt);
	const client = await clientOf(home);
	const { runId } = TaskSnapshot.parse(await client.rpc("session.start", turn({ prompt: sayLines(100, 100), providerId: "script" })));
	const stream = await client.stream("xworkmate.tasks.subscribe", { runId });
	await stream.until("a line", ({ update }) => update.kind === "message_delta" || update.kind === "tool_call");
	const stoppedAt = performance.now();
	process.kill(app.bridgePid, "SIGSTOP");
	const tasks = runCommand(home, ["tasks"]);
	await waitUntil("another bridge that answers", 30_000, async () => {
		const now = await clientOf(home);
		if (now.options.url === client.options.url) return undefined;
		return (await now.http({ path: "/healthz" })).status === 200 || undefined;
	});
	expect(performance.now() - stoppedAt).toBeLessThan(bound);
	expect(await endOf(home, runId, 10_000)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
	// A command that was waiting meanwhile is answered by the new bridge.
	expect(await tasks).toMatchObject({ code: 0, stdout: expect.stringContaining(runId) });
	await app.command.until(/The bridge isn't responding and is being restarted\./);
	await app.command.until(/The bridge is running again\./);
}, 90_000);
