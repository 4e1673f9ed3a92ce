import { artifactScope, RunId, SessionId, type Snapshot, ThreadId, TurnId } from "@xworkmate/contracts";
import { type Admission, applyAll, decide, findTurn, type Thread, type ThreadCommand, type Turn } from "../../src/threads/index.ts";
import { AT, FakeRun } from "./fake-run.ts";

export const threadId = ThreadId.parse("draft:story");

export function turnIdOf(name: string): TurnId {
	return TurnId.parse(name);
}

/** The thread after some commands. */
export function tell(thread: Thread | undefined, ...commands: readonly ThreadCommand[]): Thread {
	const after = commands.reduce<Thread | undefined>((before, command) => applyAll(before, decide(before, command)), thread);
	if (after === undefined) throw new Error("the story has no thread");
	return after;
}

export const create: ThreadCommand = { type: "create", threadId, sessionId: SessionId.parse(threadId), title: "a story", at: AT };

export function freshThread(): Thread {
	return tell(undefined, create);
}

export function send(turn: string, admission: Admission = "run"): ThreadCommand {
	return { type: "send", turnId: turnIdOf(turn), at: AT, admission };
}

export function handle(turn: string, run = `run-${turn}`, lastSeq = 1): Extract<ThreadCommand, { type: "see_handle" }> {
	const runId = RunId.parse(run);
	const seen = { runId, artifactScope: artifactScope(threadId, runId), status: "running", lastSeq } as const;
	return { type: "see_handle", turnId: turnIdOf(turn), at: AT, handle: seen };
}

export function ended(
	turn: string,
	end: (run: FakeRun) => FakeRun,
	run = `run-${turn}`,
): Extract<ThreadCommand, { type: "apply_snapshot" }> {
	return { type: "apply_snapshot", turnId: turnIdOf(turn), at: AT, snapshot: snapshotOf(turn, end, run) };
}

export function snapshotOf(turn: string, end: (run: FakeRun) => FakeRun, run = `run-${turn}`): Snapshot {
	return end(new FakeRun(threadId, turnIdOf(turn), run)).snapshot();
}

export function synced(turn: string, paths: readonly string[], status: "synced" | "partial" = "synced"): ThreadCommand {
	return { type: "finish_sync", turnId: turnIdOf(turn), runId: RunId.parse(`run-${turn}`), status, paths, at: AT };
}

export function lost(turn: string): ThreadCommand {
	const detail = { code: "ACP_HTTP_CONNECT_FAILED", message: "nothing answers" };
	return { type: "fail_recovery", turnId: turnIdOf(turn), at: AT, resultCode: "ACP_HTTP_CONNECT_FAILED", detail };
}

/** The turn that keeps the thread from being ready: a query key, never a result. */
export function pendingRun(thread: Thread): Pick<Turn, "turnId" | "lastSeq" | "runId" | "artifactScope"> | undefined {
	const turn = thread.pendingTurnId === undefined ? undefined : findTurn(thread, thread.pendingTurnId);
	if (turn === undefined) return undefined;
	const { turnId, lastSeq, runId, artifactScope } = turn;
	return { turnId, lastSeq, ...(runId && { runId }), ...(artifactScope && { artifactScope }) };
}
