import type {
	ArtifactScope,
	ArtifactSyncStatus,
	LifecycleStatus,
	ResultCode,
	RunId,
	RunStatus,
	SessionId,
	ThreadId,
	Timestamp,
	TurnId,
} from "@xworkmate/contracts";
import { isTerminal } from "@xworkmate/contracts";

/** The code of a turn that was turned away because the OpenClaw queue was full. */
export const QUEUE_FULL = "OPENCLAW_GATEWAY_QUEUE_FULL" satisfies ResultCode;

/**
 * The state of a turn in the app: the bridge's run status, once the bridge has reported one. Before that, `waiting` (in the app's own
 * queue) or `sending` (written, not yet acknowledged). `refused`: the turn ended without a run, for example because the bridge refused it
 * or the queue was full. `unresolved`: recovery ended without an answer.
 */
export type TurnStatus = RunStatus | "waiting" | "sending" | "refused" | "unresolved";

/** Why a turn ended as it did, from the snapshot, the transport or the app itself. */
export interface ResultDetail {
	readonly code?: string;
	readonly message?: string;
	/** How to fix the problem, if that is known. */
	readonly fix?: string;
}

/** One turn in a thread's history. */
export interface Turn {
	readonly turnId: TurnId;
	readonly status: TurnStatus;
	readonly runId?: RunId;
	readonly artifactScope?: ArtifactScope;
	/** The last seq of the run's log that was received; 0 before the first update. */
	readonly lastSeq: number;
	readonly resultCode?: ResultCode;
	readonly resultDetail?: ResultDetail;
	readonly syncStatus?: ArtifactSyncStatus;
	/** Files of this run that were saved to the thread's folder. */
	readonly syncedPaths: readonly string[];
	/** When `syncStatus` and `syncedPaths` were last determined; absent if no files were to be saved, or if an earlier version saved them. */
	readonly syncedAt?: Timestamp;
	readonly createdAt: Timestamp;
	readonly cancelRequestedAt?: Timestamp;
	/** When the bridge recorded a request to stop the run, made by this app, by another program or by the run's plan. */
	readonly stoppingSince?: Timestamp;
	/** The time limit that required the stop, in milliseconds; absent if the user requested it. */
	readonly stoppedAfterMs?: number;
	readonly endedAt?: Timestamp;
	readonly unresolvedSince?: Timestamp;
}

/** The state of a thread, which the app owns (docs/protocol.md#threads-and-results). */
export interface Thread {
	readonly threadId: ThreadId;
	readonly sessionId: SessionId;
	readonly title: string;
	readonly lifecycleStatus: LifecycleStatus;
	/** Absent until a turn has ended or become unresolved. Removed when another turn starts. */
	readonly lastResultCode?: ResultCode;
	readonly lastResultDetail?: ResultDetail;
	readonly lastArtifactSyncStatus?: ArtifactSyncStatus;
	readonly lastTaskArtifactRelativePaths: readonly string[];
	/** The turn that keeps the thread from being ready: it has not ended, or its files are not synced. */
	readonly pendingTurnId?: TurnId;
	/** Oldest first. The last one that was not turned away is the current turn. */
	readonly turns: readonly Turn[];
	readonly createdAt: Timestamp;
	readonly updatedAt: Timestamp;
	readonly deleted: boolean;
}

export function findTurn(thread: Thread, turnId: TurnId): Turn | undefined {
	return thread.turns.findLast((turn) => turn.turnId === turnId);
}

/**
 * True for a turn that was turned away because the app's queue was full. It is kept so that the user's text is not lost, but is never the
 * thread's current turn.
 */
export function isTurnedAway(turn: Turn): boolean {
	return turn.status === "refused" && turn.resultCode === QUEUE_FULL;
}

/** The newest turn that was not turned away; only its run's files are the thread's files. */
export function currentTurn(thread: Pick<Thread, "turns">): Turn | undefined {
	return thread.turns.findLast((turn) => !isTurnedAway(turn));
}

/** True if nothing can change how the turn ended. */
export function isSettled(status: TurnStatus): boolean {
	switch (status) {
		case "waiting":
		case "sending":
		case "unresolved":
			return false;
		case "refused":
			return true;
		default:
			return isTerminal(status);
	}
}
