import type {
	Approval,
	ApprovalId,
	ApprovalState,
	Artifact,
	RunId,
	RunStatus,
	Snapshot,
	TaskSummary,
	ThreadId,
	Timestamp,
	TurnId,
} from "@xworkmate/contracts";
import type { LoggedEvent } from "./run-event.ts";
import type { RunRecord } from "./run-record.ts";
import type { StoredRun } from "./select-expired.ts";

export interface Page<T> {
	readonly items: readonly T[];
	readonly nextCursor?: string;
}

/** What one run adds to the store in one commit. */
export interface RunAppend {
	readonly runId: RunId;
	/** Contiguous with what is stored; the first run event has seq 1. */
	readonly events: readonly LoggedEvent[];
	/** The run's summary after these events. */
	readonly summary: TaskSummary;
	/** Present with the terminal event, in the same transaction. Every accepted file, in manifest order. */
	readonly sealed?: { readonly snapshot: Snapshot; readonly artifacts: readonly Artifact[] };
}

export type InsertRunResult = { readonly inserted: true } | { readonly inserted: false; readonly existing: RunRecord };

/** The log, the intents and their views. Every write is one durable transaction. */
export interface RunStore {
	/** Inserts the intent with its first event; (threadId, turnId) is unique, the first wins. */
	insertRun(record: RunRecord, append: RunAppend): Promise<InsertRunResult>;
	/** One transaction for all. @throws when an event does not follow the stored log, or the run is sealed. */
	append(batch: readonly RunAppend[]): Promise<void>;
	findRun(runId: RunId): Promise<RunRecord | undefined>;
	findTurn(threadId: ThreadId, turnId: TurnId): Promise<RunRecord | undefined>;
	/** Events after a seq, in order, at most `limit`. */
	readEvents(runId: RunId, afterSeq: number, limit: number): Promise<readonly LoggedEvent[]>;
	/** The terminal snapshot as sealed. */
	sealedSnapshot(runId: RunId): Promise<Snapshot | undefined>;
	/** Runs that have no terminal event, oldest first. */
	unfinishedRuns(): Promise<readonly RunRecord[]>;
	/** Newest first. A cursor of another list or a damaged one throws ContractError INVALID_PARAMS. */
	listRuns(query: RunQuery): Promise<Page<TaskSummary>>;
	/** The thread's last completed run that delivered any file. */
	lastArtifactRun(threadId: ThreadId): Promise<RunId | undefined>;
	/** Accepted files of a sealed run after a path (byte order), at most `limit`. */
	readArtifacts(runId: RunId, afterPath: string | undefined, limit: number): Promise<readonly Artifact[]>;
	findArtifact(runId: RunId, relativePath: string): Promise<Artifact | undefined>;
	/** Approval records in their latest state, newest first. */
	listApprovals(query: ApprovalQuery): Promise<Page<Approval>>;
	findApproval(approvalId: ApprovalId): Promise<Approval | undefined>;
	/** Decided `allow_window` approvals that were not revoked, of a thread or of all, newest first, at most 200. */
	grants(threadId?: ThreadId): Promise<readonly Approval[]>;
	/** Writes down that a grant is taken back. False when it was already, or when there is no such grant. */
	revokeGrant(approvalId: ApprovalId, at: Timestamp): Promise<boolean>;
	/** Sealed runs whose bytes are still kept, oldest end first (for retention). */
	runsWithBytes(): Promise<readonly StoredRun[]>;
	/** Marks a run's bytes as removed; its records stay. */
	markExpired(runId: RunId): Promise<void>;
	isExpired(runId: RunId): Promise<boolean>;
	/** Removes a thread's runs with their events, artifacts and approvals. Returns the runs, oldest first. */
	deleteThread(threadId: ThreadId): Promise<readonly RunRecord[]>;
}

export interface RunQuery {
	readonly threadId?: ThreadId | undefined;
	readonly status?: RunStatus | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}

export interface ApprovalQuery {
	readonly state?: ApprovalState | undefined;
	readonly runId?: RunId | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}
