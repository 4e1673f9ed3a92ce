import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noMount, smallDisk } from "../../small-disk.ts";
import { MemorySink, ScriptRig } from "./script-rig.ts";

describe.skipIf(noMount !== undefined)("a program on a full disk", () => {
	it("waits with its files until there is space, and loses none", { timeout: 30_000 }, async () => {
		using disk = smallDisk(8);
		await using rig = await ScriptRig.open(disk.path);
		const turn = await rig.turn(
			"for (let n = 0; n < 3; n++) { const r = await tools.files.write({ path: n + '.txt', text: 'x'.repeat(300_000) }); if (!r.ok) return r.error.code } return 'all'",
		);
		const sink = new MemorySink();
		disk.fill();
		const outcome = rig.provider.runTurn(turn, sink, new AbortController().signal);
		// A run that does not wait has ended before it says so, and must not be waited for.
		await Promise.race([sink.seen((update) => update.kind === "notice" && update.code === "DISK_FULL"), outcome]);
		disk.free();
		expect(await outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe("all");
		expect(sink.notices()).toEqual(["DISK_FULL The disk was full, so writing a file had to wait for space."]);
		for (const n of [0, 1, 2]) expect(await readFile(join(turn.artifactDirectory, `${n}.txt`), "utf8")).toHaveLength(300_000);
	});

	it("can be stopped while it waits", { timeout: 30_000 }, async () => {
		using disk = smallDisk(8);
		await using rig = await ScriptRig.open(disk.path);
		const turn = await rig.turn("await tools.files.write({ path: 'a.txt', text: 'x'.repeat(300_000) })");
		const sink = new MemorySink();
		const stop = new AbortController();
		disk.fill();
		const outcome = rig.provider.runTurn(turn, sink, stop.signal);
		// A run that does not wait has ended before it says so, and must not be waited for.
		await Promise.race([sink.seen((update) => update.kind === "notice" && update.code === "DISK_FULL"), outcome]);
		stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		disk.free();
	});
});
