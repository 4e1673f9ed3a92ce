import type { Snapshot, ThreadOutcome, Timestamp, TurnId } from "@xworkmate/contracts";
import { artifactScope, isTerminal, omitUndefined, threadOutcome } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { currentTurn, findTurn, isSettled, type ResultDetail, type Thread, type Turn, type TurnStatus } from "./thread.ts";
import type { RunHandle, ThreadEvent } from "./thread-event.ts";

/**
 * What a bridge's answer means for a thread (docs/protocol.md#threads-and-results). A snapshot that is not terminal is a running handle and
 * never ends a turn; a terminal one ends it permanently. A late result of an older turn changes only that turn's history (see apply).
 * @throws AppError RUN_MISMATCH if the snapshot belongs to another run, turn or thread
 */
export function applyGatewayChatResult(thread: Thread, turnId: TurnId, snapshot: Snapshot, at: Timestamp): ThreadEvent[] {
	const turn = findTurn(thread, turnId);
	if (turn === undefined || isSettled(turn.status)) return [];
	refuseForeign(thread, turn, snapshot);
	if (!isTerminal(snapshot.status)) return seeHandle(thread, turn, snapshot, at);
	const judged = judge(thread, snapshot);
	const isLeft = judged.syncStatus === "syncing" && !canSync(thread, turn);
	const end = isLeft ? { ...judged, syncStatus: "partial" as const, detail: leftOut(thread) } : judged;
	const { status, resultCode, syncStatus, detail } = end;
	const endedAt = endOf(turn, snapshot, at);
	return [
		{
			type: "turn_ended",
			turnId,
			at,
			status,
			runId: snapshot.runId,
			artifactScope: snapshot.artifactScope,
			lastSeq: snapshot.lastSeq,
			resultCode,
			syncStatus,
			...(detail && { detail }),
			...omitUndefined({ endedAt, stoppingSince: snapshot.cancelRequestedAt }),
		},
	];
}

/**
 * When the run ended; undefined if the time is unknown. The bridge's clock may be wrong, so a time before the message was written is
 * replaced by the time of writing, and a time after the app noticed the end is treated as unknown.
 */
function endOf({ createdAt }: Turn, { endedAt }: Snapshot, at: Timestamp): Timestamp | undefined {
	if (endedAt === undefined || endedAt > at) return undefined;
	return endedAt < createdAt ? createdAt : endedAt;
}

/** Stores a running handle as a query key. An unresolved current turn becomes active again, unless the thread is archived. */
export function seeHandle(thread: Thread, turn: Turn, handle: RunHandle, at: Timestamp): ThreadEvent[] {
	if (isSettled(turn.status) || turn.status === "waiting" || isTerminal(handle.status)) return [];
	const { runId, artifactScope: scope, status, lastSeq, cancelRequestedAt } = handle;
	if (turn.runId !== undefined && turn.runId !== runId) throw foreign(runId);
	const event = {
		turnId: turn.turnId,
		at,
		handle: { runId, artifactScope: scope, status, lastSeq, ...omitUndefined({ cancelRequestedAt }) },
	};
	const takenUp = turn.status === "unresolved" && thread.lifecycleStatus === "ready" && currentTurn(thread) === turn;
	return [{ type: takenUp ? "turn_taken_up" : "handle_seen", ...event }];
}

/** True if the turn's files are saved to the folder: only the current turn's are, unless the thread is archived. */
function canSync(thread: Thread, turn: Turn): boolean {
	return currentTurn(thread) === turn && thread.lifecycleStatus !== "archived";
}

/**
 * Why the files of a late result were not downloaded when it arrived. Some may have been downloaded since, which does not change the turn.
 */
function leftOut({ lifecycleStatus }: Thread): ResultDetail {
	const why = lifecycleStatus === "archived" ? "the thread had been archived" : "a newer message had been sent";
	return { message: `This run's files weren't downloaded when its result arrived, because ${why} by then.` };
}

interface Judgment extends ThreadOutcome {
	/** The result's own status, except that a contradictory success is not believed. */
	readonly status: TurnStatus;
	readonly detail?: ResultDetail;
}

function judge(thread: Thread, snapshot: Snapshot): Judgment {
	const contradiction = contradictionOf(thread, snapshot);
	const { status, code, message } = snapshot;
	if (contradiction !== undefined) {
		return { status: status === "completed" ? "failed" : status, resultCode: "failed", syncStatus: "failed", detail: contradiction };
	}
	const detail = { ...(code && { code }), ...(message && { message }) };
	return { status, ...threadOutcome(snapshot), ...(Object.keys(detail).length > 0 && { detail }) };
}

/** The contradiction in a result, if there is one: success, status and scope have to agree (docs/protocol.md#threads-and-results). */
function contradictionOf(thread: Thread, snapshot: Snapshot): ResultDetail | undefined {
	if (snapshot.artifactScope !== artifactScope(thread.threadId, snapshot.runId)) {
		return { code: "SCOPE_MISMATCH", message: "The result names a folder that does not belong to this thread and run." };
	}
	if (snapshot.success !== (snapshot.status === "completed")) {
		return { code: "CONTRADICTORY_RESULT", message: `The result contradicts itself: ${snapshot.status} with success=${snapshot.success}.` };
	}
	return undefined;
}

function refuseForeign(thread: Thread, turn: Turn, snapshot: Snapshot): void {
	const mine = snapshot.threadId === thread.threadId && snapshot.turnId === turn.turnId;
	if (!mine || (turn.runId !== undefined && turn.runId !== snapshot.runId)) throw foreign(snapshot.runId);
}

function foreign(runId: string): AppError {
	return new AppError("RUN_MISMATCH", `The bridge answered with run ${runId}, which does not belong to this message.`, "Try again.");
}
