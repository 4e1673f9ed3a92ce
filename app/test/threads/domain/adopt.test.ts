import { artifactScope, RunId, type RunStatus } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decide, type ThreadCommand } from "../../../src/threads/index.ts";
import { AT } from "../../support/fake-run.ts";
import { ended, freshThread, handle, lost, pendingRun, send, synced, tell, threadId, turnIdOf } from "../../support/thread-story.ts";

const completed = (turn: string) => ended(turn, (run) => run.end("completed", { "report.md": "# hello" }));
const before = "2026-01-01T00:00:00.000Z";

/** A run of the bridge that no turn is of. */
function adopt(turn: string, status: RunStatus = "running"): ThreadCommand {
	const runId = RunId.parse(`run-${turn}`);
	const told = { runId, artifactScope: artifactScope(threadId, runId), status, lastSeq: 0 };
	return { type: "adopt", turnId: turnIdOf(turn), handle: told, createdAt: before, at: AT };
}

it("makes a pending turn of a run, as old as the run, and settles it as any other", () => {
	const adopted = tell(freshThread(), adopt("t1", "queued"));
	expect(adopted).toMatchObject({ lifecycleStatus: "running", lastArtifactSyncStatus: "running", pendingTurnId: "t1" });
	expect(adopted.turns).toMatchObject([{ turnId: "t1", status: "queued", runId: "run-t1", lastSeq: 0, createdAt: before }]);
	const ready = tell(adopted, handle("t1"), completed("t1"), synced("t1", ["report.md"]));
	expect(ready).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "success", lastTaskArtifactRelativePaths: ["report.md"] });
});

it("begins a run that is over as running, because only its snapshot settles it", () => {
	const adopted = tell(freshThread(), adopt("t1", "completed"));
	expect(adopted.turns).toMatchObject([{ status: "running" }]);
	expect(pendingRun(adopted)).toMatchObject({ turnId: "t1", runId: "run-t1" });
	expect(tell(adopted, completed("t1")).lastResultCode).toBe("success");
});

it("is harmless when repeated, while the turn is pending and after it", () => {
	const adopted = tell(freshThread(), adopt("t1"));
	expect(decide(adopted, adopt("t1"))).toEqual([]);
	const ready = tell(adopted, completed("t1"), synced("t1", ["report.md"]));
	expect(decide(ready, adopt("t1", "completed"))).toEqual([]);
	const unresolved = tell(freshThread(), send("t1"), handle("t1"), lost("t1"));
	expect(decide(unresolved, adopt("t1"))).toEqual([]);
});

it("waits for the thread's own turn, and for its files", () => {
	const own = tell(freshThread(), send("t1"));
	expect(() => decide(own, adopt("t2"))).toThrow(expect.objectContaining({ code: "THREAD_BUSY" }));
	const syncing = tell(own, handle("t1"), completed("t1"));
	expect(() => decide(syncing, adopt("t2"))).toThrow(expect.objectContaining({ code: "THREAD_BUSY" }));
	expect(tell(syncing, synced("t1", ["report.md"]), adopt("t2")).pendingTurnId).toBe("t2");
});

it("restores an archived thread, and leaves a deleted one", () => {
	const archived = tell(freshThread(), { type: "archive", at: AT });
	expect(tell(archived, adopt("t1"))).toMatchObject({ lifecycleStatus: "running" });
	const deleted = tell(freshThread(), { type: "delete", at: AT });
	expect(() => decide(deleted, adopt("t1"))).toThrow(expect.objectContaining({ code: "THREAD_NOT_FOUND" }));
});
