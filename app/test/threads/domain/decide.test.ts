import { LifecycleStatus } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { decide, findTurn } from "../../../src/threads/index.ts";
import { AT } from "../../support/fake-run.ts";
import { ended, freshThread, handle, lost, pendingRun, send, snapshotOf, synced, tell, turnIdOf } from "../../support/thread-story.ts";

const completed = ended("t1", (run) => run.end("completed", { "report.md": "# hello" }));

describe("a turn's way", () => {
	it("[T4-51] [T4-65] goes from ready to running when a message is sent", () => {
		const thread = tell(freshThread(), send("t1"));
		expect(thread.lifecycleStatus).toBe("running");
		expect(pendingRun(thread)).toEqual({ turnId: "t1", lastSeq: 0 });
		expect(LifecycleStatus.options).toEqual(["ready", "queued", "running", "archived"]);
	});

	it("[T4-45] [T4-55] [T4-79] stays running on handles and non-terminal snapshots: a handle is never a result", () => {
		const running = ended("t1", (run) => run.text("half of it"));
		const thread = tell(freshThread(), send("t1"), handle("t1"), running, running);
		expect(thread.lifecycleStatus).toBe("running");
		expect(thread.lastResultCode).toBeUndefined();
		expect(pendingRun(thread)).toMatchObject({
			turnId: "t1",
			runId: "run-t1",
			artifactScope: expect.stringMatching(/^tasks\/.*\/run-t1$/),
		});
	});

	it("[T4-09] [T4-42] [T4-46] [T4-56] [T4-64] is running until its files are synced, then ready", () => {
		const syncing = tell(freshThread(), send("t1"), handle("t1"), completed);
		expect(syncing).toMatchObject({ lifecycleStatus: "running", lastResultCode: "success", lastArtifactSyncStatus: "syncing" });
		expect(syncing.lastTaskArtifactRelativePaths).toEqual([]);
		const ready = tell(syncing, synced("t1", ["report.md"]));
		expect(ready).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "success", lastArtifactSyncStatus: "synced" });
		expect(ready.lastTaskArtifactRelativePaths).toEqual(["report.md"]);
		expect(pendingRun(ready)).toBeUndefined();
	});

	it("refuses a second turn, archiving and deleting while one is under way", () => {
		const thread = tell(freshThread(), send("t1"));
		for (const command of [send("t2"), { type: "archive", at: AT }, { type: "delete", at: AT }, { type: "start_sync", at: AT }] as const) {
			expect(() => decide(thread, command)).toThrow(expect.objectContaining({ code: "THREAD_BUSY" }));
		}
	});

	it("says what it is busy with: its run, or the files of a run that has ended", () => {
		const running = tell(freshThread(), send("t1"), handle("t1"));
		const saving = tell(running, completed);
		const remove = { type: "delete", at: AT } as const;
		expect(() => decide(running, remove)).toThrow("This thread is still running.");
		expect(() => decide(saving, remove)).toThrow("Files of this thread's last run are still being saved.");
	});

	it("[T4-61] [T4-62] is archived and restored, by restore or by sending", () => {
		const archived = tell(freshThread(), send("t1"), completed, synced("t1", ["report.md"]), { type: "archive", at: AT });
		expect(archived.lifecycleStatus).toBe("archived");
		expect(tell(archived, { type: "restore", at: AT }).lifecycleStatus).toBe("ready");
		expect(tell(archived, send("t2"))).toMatchObject({ lifecycleStatus: "running", lastTaskArtifactRelativePaths: [] });
	});

	it("[T4-54] turned away by a full queue it is kept for its words, and what the last run delivered stays shown", () => {
		const before = tell(freshThread(), send("t1"), completed, synced("t1", ["report.md"]));
		const after = tell(before, send("t2", "full"));
		expect(after).toMatchObject({
			lifecycleStatus: "ready",
			lastResultCode: "OPENCLAW_GATEWAY_QUEUE_FULL",
			lastResultDetail: { code: "OPENCLAW_GATEWAY_QUEUE_FULL", fix: expect.any(String) },
			lastArtifactSyncStatus: "synced",
			lastTaskArtifactRelativePaths: ["report.md"],
		});
		expect(findTurn(after, turnIdOf("t2"))).toMatchObject({ status: "refused", endedAt: AT });
		expect(tell(after, { type: "drain", turnId: turnIdOf("t2"), at: AT })).toEqual(after);
		expect(tell(after, send("t3"))).toMatchObject({ lifecycleStatus: "running", lastTaskArtifactRelativePaths: [] });
		const archived = tell(before, { type: "archive", at: AT }, send("t2", "full"));
		expect(archived).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "OPENCLAW_GATEWAY_QUEUE_FULL" });
	});

	it("a late result of the run before a turned-away turn is the thread's", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), send("t2", "full"), completed);
		expect(thread).toMatchObject({ lifecycleStatus: "running", lastResultCode: "success", lastArtifactSyncStatus: "syncing" });
	});

	it.each([
		["a newer message had been sent", send("t2")],
		["the thread had been archived", { type: "archive", at: AT } as const],
	])("a late result whose files are not downloaded says why: %s", (why, then) => {
		const after = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), then, completed);
		const message = `This run's files weren't downloaded when its result arrived, because ${why} by then.`;
		expect(findTurn(after, turnIdOf("t1"))).toMatchObject({ status: "completed", syncStatus: "partial", resultDetail: { message } });
	});

	it("[T4-52] [T4-53] [T4-54] waits in the app's queue, runs when drained, and can be given up there", () => {
		const waiting = tell(freshThread(), send("t1", "wait"));
		expect(waiting).toMatchObject({ lifecycleStatus: "queued", lastArtifactSyncStatus: "queued" });
		expect(tell(waiting, { type: "drain", turnId: turnIdOf("t1"), at: AT }).lifecycleStatus).toBe("running");
		const given = tell(waiting, { type: "request_cancel", turnId: turnIdOf("t1"), at: AT });
		expect(given).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "aborted" });
	});
});

describe("what an end means", () => {
	it.each([
		["[T4-57]", "failed", "PROVIDER_ERROR", "failed", "failed"],
		["[T4-57] [T4-66]", "failed", "OPENCLAW_AGENT_ERROR", "OPENCLAW_AGENT_ERROR", "failed"],
		["[T4-48]", "artifact_missing", "NO_EXPORTED_ARTIFACTS", "artifact_missing", "no-exported-artifacts"],
		["[T4-57]", "artifact_missing", "REQUIRED_ARTIFACT_MISSING", "artifact_missing", "failed"],
		["[T4-12]", "artifact_missing", "OPENCLAW_REQUIRED_ARTIFACT_MISSING", "OPENCLAW_REQUIRED_ARTIFACT_MISSING", "failed"],
		["[T4-60]", "cancelled", undefined, "aborted", "failed"],
		["[T4-58]", "interrupted", "BRIDGE_RESTARTED", "interrupted", "failed"],
	] as const)("%s %s %s: %s, %s, ready, and no file is synced", (_ids, status, code, resultCode, syncStatus) => {
		const end = ended("t1", (run) => run.end(status, { "partial.md": "half" }, code));
		const thread = tell(freshThread(), send("t1"), end);
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: resultCode, lastArtifactSyncStatus: syncStatus });
		expect(thread.lastTaskArtifactRelativePaths).toEqual([]);
		if (code !== undefined) expect(thread.lastResultDetail).toMatchObject({ code });
	});

	it("[T4-49] [T4-63] [T4-69] a run without files is a success with no-artifacts; ready alone says nothing of success", () => {
		const thread = tell(
			freshThread(),
			send("t1"),
			ended("t1", (run) => run.end("completed")),
		);
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "success", lastArtifactSyncStatus: "no-artifacts" });
	});

	it("[T4-87] [T4-88] a success whose scope is another run's, or that contradicts itself, is none", () => {
		const foreign = ended("t1", (run) => {
			run.scope = "tasks/other-0123456789ab/run-t1";
			return run.end("completed", { "report.md": "# hello" });
		});
		const thread = tell(freshThread(), send("t1"), foreign);
		expect(thread).toMatchObject({
			lastResultCode: "failed",
			lastArtifactSyncStatus: "failed",
			lastResultDetail: { code: "SCOPE_MISMATCH" },
		});
		expect(findTurn(thread, turnIdOf("t1"))?.status).toBe("failed");
		const unsuccessful = { ...completed, snapshot: { ...completed.snapshot, success: false } };
		const contradictory = tell(freshThread(), send("t1"), unsuccessful);
		expect(contradictory).toMatchObject({ lastResultCode: "failed", lastArtifactSyncStatus: "failed" });
		expect(findTurn(contradictory, turnIdOf("t1"))?.status).toBe("failed");
	});

	it("[T4-58] [T4-59] [T4-84] recovery that ends without an answer is named, clears the pending run, and the thread is ready", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"));
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "ACP_HTTP_CONNECT_FAILED", lastArtifactSyncStatus: "failed" });
		expect(pendingRun(thread)).toBeUndefined();
		expect(findTurn(thread, turnIdOf("t1"))).toMatchObject({ status: "unresolved", runId: "run-t1" });
	});

	it("a late result resolves the current turn, its files included", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), completed);
		expect(thread).toMatchObject({ lifecycleStatus: "running", lastResultCode: "success", lastArtifactSyncStatus: "syncing" });
		expect(tell(thread, synced("t1", ["report.md"]))).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "synced" });
	});

	it("a turn given up on that is running after all is taken up again", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), handle("t1", "run-t1", 7));
		expect(thread.lifecycleStatus).toBe("running");
		expect(pendingRun(thread)).toMatchObject({ turnId: "t1", lastSeq: 7 });
	});

	it("[T4-33] [T4-68] a late result of an older turn changes that turn's history and nothing else", () => {
		const before = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), send("t2"), handle("t2"));
		const after = tell(before, completed);
		expect(findTurn(after, turnIdOf("t1"))).toMatchObject({ status: "completed", resultCode: "success", syncStatus: "partial" });
		const { turns: _before, ...threadBefore } = before;
		const { turns: _after, ...threadAfter } = after;
		expect(threadAfter).toEqual(threadBefore);
	});

	it("a late result of an archived thread's turn says that its files are not here", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), { type: "archive", at: AT }, completed);
		expect(thread).toMatchObject({ lifecycleStatus: "archived", lastResultCode: "success", lastArtifactSyncStatus: "partial" });
	});

	it("a terminal result stays: repeats and contradictions change nothing", () => {
		const thread = tell(
			freshThread(),
			send("t1"),
			ended("t1", (run) => run.end("failed", {}, "NO_OUTPUT")),
		);
		expect(tell(thread, completed, lost("t1"), handle("t1"), synced("t1", ["x"]))).toEqual(thread);
	});

	it("refuses a snapshot of another run or turn", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"));
		const other = { ...completed, snapshot: snapshotOf("t1", (run) => run.end("completed"), "run-other") };
		expect(() => decide(thread, other)).toThrow(expect.objectContaining({ code: "RUN_MISMATCH" }));
		expect(() => decide(thread, { ...completed, snapshot: snapshotOf("t9", (run) => run.end("completed"), "run-t1") })).toThrow();
	});

	it("a submit that the bridge refused is over, with the bridge's words", () => {
		const detail = { code: "PROVIDER_NOT_FOUND", message: "no provider has this id" };
		const thread = tell(freshThread(), send("t1"), { type: "refuse", turnId: turnIdOf("t1"), at: AT, resultCode: "failed", detail });
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "failed", lastResultDetail: detail });
		expect(findTurn(thread, turnIdOf("t1"))?.status).toBe("refused");
	});

	it("what is not on the disk yet may be synced again, and only a success", () => {
		const partial = tell(freshThread(), send("t1"), completed, synced("t1", [], "partial"));
		expect(partial).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "partial" });
		const again = tell(partial, { type: "start_sync", at: AT });
		expect(again).toMatchObject({ lifecycleStatus: "running", lastArtifactSyncStatus: "syncing", pendingTurnId: "t1" });
		const failed = tell(
			freshThread(),
			send("t1"),
			ended("t1", (run) => run.end("failed", {}, "NO_OUTPUT")),
		);
		expect(() => decide(failed, { type: "start_sync", at: AT })).toThrow(expect.objectContaining({ code: "NOTHING_TO_SYNC" }));
	});
});
