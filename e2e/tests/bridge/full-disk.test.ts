import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../support/app/command.ts";
import { bridgeMain, cleanEnvironment } from "../../support/bridge/bridge-process.ts";
import { bridgeOnSmallDisk, expectEveryWord, fullFor, speaks, untilRefused } from "../../support/bridge/on-full-disk.ts";
import { follow } from "../../support/bridge/settle.ts";
import { noMount, type SmallDisk, skipReason, smallDisk } from "../../support/bridge/small-disk.ts";
import { refused } from "../../support/wire/refused.ts";
import { turn } from "../../support/wire/turn.ts";

describe.skipIf(noMount !== undefined).concurrent(`a full disk${skipReason}`, () => {
	it("that is full for 1 s and for 3 s costs time alone: every word of a run is there, and the bystander ends completed", async () => {
		await using at = await bridgeOnSmallDisk();
		const { bridge, disk } = at;
		const bystander = expectEveryWord(bridge, 1, 9_000);
		const speaker = expectEveryWord(bridge, 90);
		await delay(1_000);
		await fullFor(disk, 1_000);
		await delay(1_000);
		await fullFor(disk, 3_000);
		await speaker;
		await bystander;
		expect(await at.log()).toMatch(/the disk is full: runs wait until there is space[\s\S]*the disk has space again: runs continue/);
	});

	it("that is full for 8 s under four runs lets every call be answered, in JSON-RPC, and every run end", async () => {
		await using at = await bridgeOnSmallDisk();
		const { bridge, disk } = at;
		const client = bridge.client();
		const speakers = [expectEveryWord(bridge, 60), expectEveryWord(bridge, 60)];
		const stopped = [
			turn({ prompt: "UNRULY:SLOW 600 100", providerId: "unruly" }),
			turn({ prompt: "UNRULY:SLOW 600 100", providerId: "unruly" }),
		];
		const streams = await Promise.all(stopped.map((params) => client.stream("session.start", params)));
		const [first, second] = await Promise.all(
			streams.map((stream) => stream.until("a word", ({ update }) => update.kind === "message_delta")),
		);
		await disk.fill();
		const filled = performance.now();
		await untilRefused(client);
		const asked = performance.now();
		const answers = await Promise.all([
			refused(client.stream("session.start", speaks(1))),
			refused(client.rpc("session.start", speaks(1))),
			refused(client.rpc("xworkmate.tasks.cancel", { runId: first?.runId })),
			refused(client.rpc("session.close", { sessionId: stopped[1]?.sessionId })),
		]);
		expect(performance.now() - asked).toBeLessThan(7_000);
		for (const { data, message } of answers) {
			expect(data).toMatchObject({ code: "DISK_FULL", retryable: true });
			expect(message).toMatch(/disk.* is full/);
		}
		await expect(client.snapshot({ runId: String(second?.runId) })).resolves.toMatchObject({ status: "running" });
		await delay(8_000 - (performance.now() - filled));
		await disk.free();
		await Promise.all(speakers);
		await expect(client.rpc("session.close", { sessionId: stopped[1]?.sessionId })).resolves.toEqual({ closed: true });
		for (const stream of streams) expect((await follow(client, stream)).snapshot.status).toBe("cancelled");
		await expectEveryWord(bridge, 3);
	});
});

const unusable: readonly (readonly [string, (disk: SmallDisk) => unknown, RegExp])[] = [
	["full", (disk) => disk.fill(), /can't be written because the disk is full.*Free some space/s],
	["read-only", (disk) => disk.makeReadOnly(), /can't be written because its file system is read-only.*Make it writable/s],
];

describe.skipIf(noMount !== undefined).each(unusable)(`a start on a disk that is %s${skipReason}`, (_, spoil, words) => {
	it("of the bridge says path and fix in one line", async () => {
		await using disk = await smallDisk(1);
		await spoil(disk);
		const child = spawn(process.execPath, [bridgeMain], { env: cleanEnvironment(disk.home), stdio: ["ignore", "pipe", "pipe"] });
		let said = "";
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			said += text;
		});
		const [code] = await once(child, "close");
		expect({ code, lines: said.trimEnd().split("\n").length }).toEqual({ code: 1, lines: 1 });
		expect(said).toMatch(words);
		expect(said).toContain(disk.home.xworkmate);
	});

	it("of the app says path and fix, and shows no stack", async () => {
		await using disk = await smallDisk(1);
		await spoil(disk);
		const { code, stderr } = await runCommand(disk.home, ["start"]);
		expect(code).toBe(1);
		expect(stderr).toMatch(words);
		expect(stderr).toContain(disk.home.xworkmate);
		expect(stderr).not.toMatch(/^\s+at /m);
	});
});
