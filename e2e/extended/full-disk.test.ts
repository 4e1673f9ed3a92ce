import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runCommand, startCommand } from "../support/app/command.ts";
import { startApp } from "../support/app/started-app.ts";
import { writeProviders } from "../support/bridge/bridge-process.ts";
import { bridgeOnSmallDisk, expectEveryWord, fullFor, speaks } from "../support/bridge/on-full-disk.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { settle, settleAgain } from "../support/bridge/settle.ts";
import { noExt4, noMount, skipReason, smallDisk } from "../support/bridge/small-disk.ts";
import { turn } from "../support/wire/turn.ts";

const MIB = 1024 * 1024;

/** Large files: what is left of the disk when the next one finds no room is enough for the app to write down what came of them. */
const delivers = (count: number, bytes: number) =>
	`for (let i = 0; i < ${count}; i++) await tools.files.write({ path: \`part-\${i}.txt\`, text: "x".repeat(${bytes}) }); return "done"`;

// Each on its own disk, and waiting for most of a minute.
describe.skipIf(noMount !== undefined).concurrent(`a disk that is full for long${skipReason}`, () => {
	it("costs four runs 40 s, and not a word", async () => {
		await using at = await bridgeOnSmallDisk();
		const speakers = [60, 90, 120, 150].map((ticks) => expectEveryWord(at.bridge, ticks));
		await delay(2_000);
		await fullFor(at.disk, 40_000);
		await Promise.all(speakers);
		await expectEveryWord(at.bridge, 3);
	});

	it("for 8 s keeps neither the app nor a command that follows a run from it; a new message is refused by name", async () => {
		await using disk = await smallDisk(32);
		await writeProviders(disk.home, [unrulyAgent()]);
		await using app = await startApp(disk.home);
		// It looks at its disk before it says so, and a page that is built first delays both.
		await app.command.until(/XWorkmate is running/);
		const run = startCommand(disk.home, ["run", "--provider", "unruly", "UNRULY:SLOW 100 100"]);
		await run.until(/tick 5 /);
		const full = fullFor(disk, 8_000);
		await delay(1_000);
		const refused = await runCommand(disk.home, ["run", "--provider", "unruly", "UNRULY:SLOW 3 100"]);
		expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/is full.*\(DISK_FULL\)\s+Free some space/) });
		await full;
		const { code, stdout } = await run.ended;
		expect({ code, last: stdout.trim().split(" ").at(-1), words: stdout.match(/tick/g)?.length }).toEqual({
			code: 0,
			last: "100",
			words: 100,
		});
		// It is small, and most of it was free at the start: a warning that is always there warns of nothing.
		expect(app.command.stderr).not.toContain("Disk:");
	});

	it("is what a run whose files find no room for 30 s fails of; the next run is fine", async () => {
		await using at = await bridgeOnSmallDisk(40);
		const failed = await settle(at.bridge.client(), turn({ prompt: `UNRULY:WRITE_MANY 22 ${MIB}`, providerId: "unruly" }));
		expect(failed.snapshot).toMatchObject({ status: "failed", code: "DISK_FULL", message: expect.stringContaining("disk") });
		await expectEveryWord(at.bridge, 3);
	});

	it("is named by sync, which fetches the rest once there is room", async () => {
		await using disk = await smallDisk(24);
		const run = await runCommand(disk.home, ["run", "--provider", "script", delivers(3, 3 * MIB)]);
		expect(run.stderr).toContain("DISK_FULL");
		expect(run.stderr).toMatch(/xworkmate (?:-- )?sync draft:/);
		const thread = /thread (draft:[\w-]+)/.exec(run.stderr)?.[1] ?? "";
		disk.resize(64);
		const sync = await runCommand(disk.home, ["sync", thread]);
		expect(sync.code).toBe(0);
	});
});

const kinds = (["tmpfs", "ext4"] as const).map((kind) => ({ kind, why: kind === "tmpfs" ? noMount : noExt4() }));

for (const { kind, why } of kinds) {
	describe.skipIf(why !== undefined)(`a disk that is full for good, ${kind}${why === undefined ? "" : ` (skipped: ${why})`}`, () => {
		it("lets the bridge end when it is told to, and what was shown is there at the next start", async () => {
			await using at = await bridgeOnSmallDisk(40, kind);
			const { bridge, disk } = at;
			const stream = await bridge.client().stream("session.start", speaks(600));
			await stream.until("ten words", () => stream.updates.length > 10);
			await disk.fill();
			await delay(2_000);
			const told = performance.now();
			await bridge.kill("SIGTERM");
			expect(performance.now() - told).toBeLessThan(10_000);
			const shown = stream.updates.length;
			const runId = String(stream.updates[0]?.runId);
			await disk.free();
			await bridge.start();
			const again = await settleAgain(bridge.client(), runId);
			expect(again.snapshot).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
			expect(again.updates.slice(0, shown).map(({ seq, update }) => ({ seq, update }))).toEqual(
				stream.updates.map(({ seq, update }) => ({ seq, update })),
			);
		});

		it("costs runs 8 s, and not a word, when it was freed after all", async () => {
			await using at = await bridgeOnSmallDisk(40, kind);
			const speakers = [60, 90].map((ticks) => expectEveryWord(at.bridge, ticks));
			await delay(1_000);
			await fullFor(at.disk, 8_000);
			await Promise.all(speakers);
		});

		it("keeps the bridge from starting, with path and fix in one line", async () => {
			await using disk = await smallDisk(8, kind);
			await disk.fill();
			const { code, stderr } = await runCommand(disk.home, ["bridge"]);
			expect({ code, lines: stderr.trimEnd().split("\n").length }).toEqual({ code: 1, lines: 1 });
			expect(stderr).toMatch(/can't be written because the disk is full.*Free some space/);
			expect(stderr).toContain(disk.home.xworkmate);
		});
	});
}
