import type {
	ArtifactScope,
	ArtifactSyncStatus,
	ResultCode,
	RunId,
	RunStatus,
	SessionId,
	Snapshot,
	ThreadId,
	Timestamp,
	TurnId,
} from "@xworkmate/contracts";
import type { ResultDetail, TurnStatus } from "./thread.ts";

/** The bridge's handle of a run: a query key, never a result. */
export interface RunHandle {
	readonly runId: RunId;
	readonly artifactScope: ArtifactScope;
	readonly status: RunStatus;
	/** The last seq of the run's log that was received. */
	readonly lastSeq: number;
	/** When the bridge recorded a request to stop the run. Absent if the bridge recorded none, or if what the app received does not say. */
	readonly cancelRequestedAt?: Timestamp | undefined;
}

/** How saving a run's files to the thread's folder ended. */
export type SyncEnd = Extract<ArtifactSyncStatus, "synced" | "partial">;

/**
 * What happens to a new turn: it is submitted immediately, it waits in the app's queue, or it is turned away because that queue is full.
 */
export type Admission = "run" | "wait" | "full";

interface AboutTurn {
	readonly turnId: TurnId;
	readonly at: Timestamp;
}

/** A command to a thread, or a report about one of its turns. */
export type ThreadCommand =
	| { readonly type: "create"; readonly threadId: ThreadId; readonly sessionId: SessionId; readonly title: string; readonly at: Timestamp }
	| ({ readonly type: "send"; readonly admission: Admission } & AboutTurn)
	/**
	 * The bridge has a run of this thread that this app does not know. The run becomes a turn of the thread, and `createdAt` is the run's.
	 */
	| ({ readonly type: "adopt"; readonly handle: RunHandle; readonly createdAt: Timestamp } & AboutTurn)
	/** The queue has room: the waiting turn is submitted. */
	| ({ readonly type: "drain" } & AboutTurn)
	/** The bridge has no run for the turn, and the gateway is temporarily unavailable: the turn returns to the queue at its old position. */
	| ({ readonly type: "requeue" } & AboutTurn)
	| ({ readonly type: "see_handle"; readonly handle: RunHandle } & AboutTurn)
	| ({ readonly type: "apply_snapshot"; readonly snapshot: Snapshot } & AboutTurn)
	/** `stoppedAfterMs` is the time limit that requires the stop; absent if the user requested the stop. */
	| ({ readonly type: "request_cancel"; readonly stoppedAfterMs?: number } & AboutTurn)
	/** The bridge never received the turn, and the user or a time limit has stopped it. */
	| ({ readonly type: "abort_unsent" } & AboutTurn)
	/** The turn ends without a known run, for example because the bridge refused the submit. */
	| ({ readonly type: "refuse"; readonly resultCode: ResultCode; readonly detail: ResultDetail } & AboutTurn)
	/** The turn ends without a known run, and it can no longer be determined whether the turn was sent. */
	| ({ readonly type: "lose"; readonly detail: ResultDetail } & AboutTurn)
	| ({ readonly type: "fail_recovery"; readonly resultCode: ResultCode; readonly detail: ResultDetail } & AboutTurn)
	/** Restores the current run's files to the folder. */
	| { readonly type: "start_sync"; readonly at: Timestamp }
	| ({
			readonly type: "finish_sync";
			readonly runId: RunId;
			readonly status: SyncEnd;
			readonly paths: readonly string[];
			readonly detail?: ResultDetail;
	  } & AboutTurn)
	/** Nothing is left to save of a run whose files were not all in the folder. `paths` are all of its files. */
	| ({ readonly type: "settle_sync"; readonly paths: readonly string[] } & AboutTurn)
	| { readonly type: "rename"; readonly title: string; readonly at: Timestamp }
	| { readonly type: "archive"; readonly at: Timestamp }
	| { readonly type: "restore"; readonly at: Timestamp }
	| { readonly type: "delete"; readonly at: Timestamp };

/** A fact about a thread, as decided. */
export type ThreadEvent =
	| Extract<ThreadCommand, { type: "create" }>
	| ({ readonly type: "turn_sent"; readonly admission: Exclude<Admission, "full"> } & AboutTurn)
	| ({ readonly type: "turn_adopted"; readonly handle: RunHandle; readonly createdAt: Timestamp } & AboutTurn)
	/** The turn has ended because the queue was full. The turn is kept so that its text is not lost. */
	| ({ readonly type: "turn_turned_away"; readonly detail: ResultDetail } & AboutTurn)
	| ({ readonly type: "turn_drained" } & AboutTurn)
	| ({ readonly type: "turn_requeued" } & AboutTurn)
	| ({ readonly type: "handle_seen"; readonly handle: RunHandle } & AboutTurn)
	/** A turn that was given up as unresolved is active after all. It is still the current turn. */
	| ({ readonly type: "turn_taken_up"; readonly handle: RunHandle } & AboutTurn)
	| ({ readonly type: "cancel_requested"; readonly stoppedAfterMs?: number } & AboutTurn)
	| ({
			readonly type: "turn_ended";
			/**
			 * When the run ended; `at` is when the app noticed. Absent if there was no run, or if the bridge gave no time or a time after `at`.
			 */
			readonly endedAt?: Timestamp;
			/** When the bridge recorded a request to stop the run, of which the app may not have heard while the run was active. */
			readonly stoppingSince?: Timestamp;
			readonly status: TurnStatus;
			readonly runId?: RunId;
			readonly artifactScope?: ArtifactScope;
			readonly lastSeq?: number;
			readonly resultCode: ResultCode;
			/** `syncing`: the turn stays pending until its files are synced. */
			readonly syncStatus: ArtifactSyncStatus;
			readonly detail?: ResultDetail;
	  } & AboutTurn)
	| ({ readonly type: "recovery_failed"; readonly resultCode: ResultCode; readonly detail: ResultDetail } & AboutTurn)
	| ({ readonly type: "sync_started" } & AboutTurn)
	| ({
			readonly type: "sync_finished";
			readonly status: SyncEnd;
			readonly paths: readonly string[];
			readonly detail?: ResultDetail;
	  } & AboutTurn)
	| ({ readonly type: "sync_settled"; readonly paths: readonly string[] } & AboutTurn)
	/** `renamed`, `archived` and `restored` do not change the thread's `updatedAt`, so that it keeps its place in the list. */
	| { readonly type: "renamed"; readonly title: string; readonly at: Timestamp }
	| { readonly type: "archived"; readonly at: Timestamp }
	| { readonly type: "restored"; readonly at: Timestamp }
	| { readonly type: "deleted"; readonly at: Timestamp };
