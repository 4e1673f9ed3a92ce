import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { ArtifactStoreError } from "../../src/artifacts/artifact-store-error.ts";
import type { LoggedEvent } from "../../src/ports/runs/run-event.ts";
import type { RunLimits } from "../../src/ports/runs/run-limits.ts";
import { noMount, type SmallDisk, smallDisk } from "../small-disk.ts";
import { Core, ended, type Play, say, whenAborted } from "./core-fixture.ts";
import { asker, asking, decide, deliver, hang, starting } from "./plays.ts";

const MIB = 1024 * 1024;

/** Delivers 4 MiB, and leaves room for the log, but not for a second copy of them. */
const delivers =
	(disk: SmallDisk): Play =>
	async ({ artifactDirectory }) => {
		writeFileSync(join(artifactDirectory, "large.bin"), Buffer.alloc(4 * MIB, "x"));
		disk.fill(2 * MIB);
		return ended;
	};

async function openOn(disk: SmallDisk, play: Play, limits: Partial<RunLimits>): Promise<Core> {
	return Core.open(play, limits, undefined, join(disk.path, "home"));
}

it("a run whose files find no room in the artifact store has failed with DISK_FULL, and says so", async () => {
	await using core = await Core.open(deliver({ "report.md": "# hello" }), { diskWaitMs: 0 });
	core.collectFails = new ArtifactStoreError("VAULT_FULL", "the artifact store failed: ENOSPC: no space left on device, write");
	const failed = await core.settled(await core.submit("t1"));
	expect(failed).toMatchObject({ status: "failed", code: "DISK_FULL", message: expect.stringContaining("The disk is full") });
});

const waitingForSpace = ({ event }: LoggedEvent) => event.type === "progress" && /waiting for space/.test(event.progress.message ?? "");

describe.skipIf(noMount !== undefined)(`a run on a full disk${noMount === undefined ? "" : ` (skipped: ${noMount})`}`, () => {
	it("whose files find no room fails with DISK_FULL, leaves nothing in staging, and the next run is fine", async () => {
		using disk = smallDisk(24);
		await using core = await openOn(disk, delivers(disk), { diskWaitMs: 0 });
		const failed = await core.settled(await core.submit("t1"));
		expect(failed).toMatchObject({ status: "failed", code: "DISK_FULL", message: expect.stringMatching(/disk is full/) });
		expect(readdirSync(join(core.home, "bridge", "artifacts", ".staging"))).toEqual([]);
		disk.free();
		core.play = async (_turn, sink) => {
			await say(sink, "fine");
			return ended;
		};
		expect(await core.settled(await core.submit("t2"))).toMatchObject({ status: "completed" });
	});

	it("waits with its files for space, says so, and is completed when there is some", async () => {
		using disk = smallDisk(24);
		await using core = await openOn(disk, delivers(disk), { diskWaitMs: 20_000 });
		const runId = await core.submit("t1");
		await core.until(runId, waitingForSpace);
		disk.free();
		expect(await core.settled(runId)).toMatchObject({ status: "completed", artifacts: { count: 1, totalBytes: 4 * MIB } });
	});

	it("answers a new turn, cancel and close with DISK_FULL, has told the run to stop all the same, and ends it when there is space", async () => {
		using disk = smallDisk(8);
		const stopped = Promise.withResolvers<void>();
		const play: Play = async (_turn, _sink, stop) => {
			await whenAborted(stop);
			stopped.resolve();
			return { kind: "cancelled", remote: false };
		};
		await using core = await openOn(disk, play, { diskAnswerMs: 100 });
		const runId = await core.submit("t1");
		await core.until(runId, starting);
		disk.fill();
		const full = { code: "DISK_FULL" };
		await expect(core.submit("t2", { prompt: "x".repeat(200_000) })).rejects.toMatchObject({ code: "STORE_FULL" });
		await expect(core.service.cancel(runId)).rejects.toMatchObject(full);
		await stopped.promise;
		await expect(core.service.closeSession("thread" as never)).rejects.toThrow(/full/);
		expect((await core.service.snapshot(runId)).status).toBe("running");
		disk.free();
		expect(await core.settled(runId)).toMatchObject({ status: "cancelled" });
		await expect(core.service.closeSession("thread" as never)).resolves.toEqual({ closed: true });
	});

	it("is told to stop by a close although its session can't be marked as closed", async () => {
		await using core = await Core.open(async (_turn, _sink, stop) => {
			await whenAborted(stop);
			return { kind: "cancelled", remote: false };
		});
		const runId = await core.submit("t1");
		await core.until(runId, starting);
		vi.spyOn(core.store.sessions, "setClosed").mockRejectedValueOnce(new Error("database or disk is full"));
		await expect(core.service.closeSession("thread" as never)).rejects.toThrow(/full/);
		expect(await core.settled(runId)).toMatchObject({ status: "cancelled" });
	});

	it("waits with what it was sent, before anything has begun, and goes on when there is space", async () => {
		using disk = smallDisk(16);
		const bytes = Buffer.alloc(MIB, "a");
		const sent = { name: "sent.txt", mediaType: "text/plain", sizeBytes: MIB, sha256: createHash("sha256").update(bytes).digest("hex") };
		await using core = await openOn(disk, hang, { maxActiveRuns: 1 });
		const before = await core.submit("t0", { sessionId: "other", threadId: "other" });
		await core.until(before, starting);
		const runId = await core.submit("t1", { attachments: [{ ...sent, base64: bytes.toString("base64") }] });
		core.play = deliver({ "report.md": "# hello" });
		// Room for the log of both, but not for a second copy of what was sent.
		disk.fill(MIB / 2);
		await core.service.cancel(before);
		await core.until(runId, waitingForSpace);
		disk.free();
		expect(await core.settled(runId)).toMatchObject({ status: "completed", artifacts: { count: 1 } });
	});

	it("answers a decision with DISK_FULL, and gives it to the agent once it is written down", async () => {
		using disk = smallDisk(8);
		await using core = await openOn(disk, asker(["allow_once", "deny"]), { diskAnswerMs: 100 });
		const runId = await core.submit("t1");
		const asked = await core.until(runId, asking);
		disk.fill();
		await expect(decide(core, asked, "allow_once")).rejects.toMatchObject({ code: "DISK_FULL" });
		disk.free();
		expect(await core.settled(runId)).toMatchObject({ status: "completed", output: { text: "allow_once" } });
		expect(await decide(core, asked, "deny")).toMatchObject({ applied: false, record: { decision: "allow_once" } });
	});

	it("does not keep the bridge from ending within its bound", async () => {
		using disk = smallDisk(8);
		await using core = await openOn(disk, hang, { stopMs: 100, diskAnswerMs: 100 });
		const runId = await core.submit("t1");
		await core.until(runId, starting);
		disk.fill();
		await expect(core.service.cancel(runId)).rejects.toMatchObject({ code: "DISK_FULL" });
		const begun = performance.now();
		await core.coordinator.shutdown();
		expect(performance.now() - begun).toBeLessThan(3_000);
		expect(core.errors.map(String)).toContainEqual(expect.stringContaining("not all records of its runs have been saved"));
		disk.free();
	}, 20_000);
});
