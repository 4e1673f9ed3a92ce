import type { ChangeCursor, OriginId, RunId, SessionUpdate, Snapshot, ThreadId, TurnId } from "@xworkmate/contracts";
import type { SentDraft } from "./composed-message.ts";
import type { Thread } from "./thread.ts";
import type { AttachedFile, Submission, TranscriptPage, TurnKey, TurnRecord, TurnRequest } from "./turn-record.ts";

/** What one decision writes, in a single durable transaction. */
export interface ThreadChange {
	readonly before: Thread | undefined;
	readonly after: Thread;
	/** Present for a turn that is in `after` but not in `before`. If there is no submission, the bridge already has the turn. */
	readonly created?: { readonly request: TurnRequest; readonly submission?: Submission };
	/** The draft that became the turn. Its files and its text are removed in the same transaction, but text from other windows is kept. */
	readonly sentDraft?: SentDraft;
	/** The terminal snapshot that the decision is based on. */
	readonly snapshot?: Snapshot;
	readonly updates?: UpdateBatch;
}

/** Consecutive updates of one turn, the first of which follows the seq `after`. Updates that are already stored are not written again. */
export interface UpdateBatch {
	readonly turnId: TurnId;
	readonly after: number;
	readonly items: readonly SessionUpdate[];
}

export interface ThreadQuery {
	readonly archived?: boolean;
	/** The maximum number of threads to return; at most 500. */
	readonly limit: number;
}

/** A turn of the gateway target that has not ended and has not been given up. */
export interface GatewayTurn extends TurnKey {
	/** True while the turn is in the app's queue; false from its submit to its end. */
	readonly waits: boolean;
}

/** The threads, their turns and transcripts. */
export interface ThreadStore {
	findThread(threadId: ThreadId): Thread | undefined;
	/**
	 * Pinned threads come first, unless they are archived; each group is sorted by the latest change, newest first. Each thread has only its
	 * newest turn.
	 */
	listThreads(query: ThreadQuery): readonly Thread[];
	commit(change: ThreadChange): void;
	deleteThread(threadId: ThreadId): void;
	/**
	 * Checks whether the thread can be deleted, without deleting it.
	 * @throws whatever prevents it, such as damage
	 */
	tryDeletion(threadId: ThreadId): void;
	/** The id of a deleted thread is never reused, because a window that still shows that thread would write into the new one. */
	wasDeleted(threadId: ThreadId): boolean;
	/** Every turn of a thread, oldest first. */
	turnRecords(threadId: ThreadId): readonly TurnRecord[];
	turnRecord(key: TurnKey): TurnRecord | undefined;
	/** Undefined once the bridge has the turn, or when an attached file no longer exists. */
	submission(key: TurnKey): Submission | undefined;
	/** The files sent with the turn. They are kept as long as the turn may be retried: until it succeeds or another turn follows. */
	keptAttachments(key: TurnKey): readonly AttachedFile[];
	/**
	 * Deletes the bytes of attached files that no turn refers to.
	 * @throws the system's error
	 */
	dropUnusedFiles(): void;
	readUpdates(key: TurnKey, afterSeq: number, limit: number): TranscriptPage;
	findRun(runId: RunId): TurnKey | undefined;
	/** Turns that keep their thread from being ready. */
	pendingTurns(): readonly TurnKey[];
	/** In the order in which they were written. */
	gatewayTurns(): readonly GatewayTurn[];
	/** Ready threads whose last run ended at or after a time (RFC 3339) and has files that are not on this disk. */
	partialThreads(since: string): readonly ThreadId[];
	/** Turns that became unresolved at or after a time (RFC 3339), oldest first. */
	unresolvedTurns(since: string): readonly TurnKey[];
	/** The id by which bridges know the app. It is created with the database. */
	readonly appId: OriginId;
	/** How far the bridge's changes have been read; undefined before the first change. */
	changesCursor(): ChangeCursor | undefined;
	keepChangesCursor(cursor: ChangeCursor): void;
	close(): void;
}
