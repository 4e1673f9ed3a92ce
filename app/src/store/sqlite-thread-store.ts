import { dirname, join } from "node:path";
import { ChangeCursor, OriginId, omitUndefined, type RunId, SessionUpdate, ThreadId, TurnId } from "@xworkmate/contracts";
import type Database from "better-sqlite3";
import { z } from "zod";
import { ListedTurnsRow } from "../threads/domain/composed-message.ts";
import type { ListedThread } from "../threads/domain/listed-thread.ts";
import type { Thread, Turn } from "../threads/domain/thread.ts";
import type { GatewayTurn, ThreadChange, ThreadQuery, ThreadStore } from "../threads/domain/thread-store.ts";
import type { AttachedFile, Submission, TranscriptPage, TurnKey, TurnRecord, TurnRequest } from "../threads/domain/turn-record.ts";
import { openAppDatabase } from "./app-database.ts";
import { readFileRow } from "./attached-file-rows.ts";
import { BlobStore } from "./blob-store.ts";
import { KnownRunStore } from "./known-runs.ts";
import { readPacked } from "./packed-updates.ts";
import { ReportedUsage } from "./reported-usage.ts";
import { SearchedTurn, SearchIndex } from "./search-index.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import { StoreUpkeep } from "./store-upkeep.ts";
import { SurfaceStore } from "./surface-store.ts";
import {
	decodeThread,
	decodeTurn,
	decodeTurnRecord,
	encodeRequest,
	encodeThread,
	encodeTurn,
	OriginRow,
	ThreadRow,
	TurnRecordRow,
	TurnRow,
} from "./thread-rows.ts";

const RowId = z.object({ id: z.int() });
const Key = z.object({ thread_id: ThreadId, turn_id: TurnId });
const KeyWithStatus = Key.extend({ status: z.string() });
const PartialRow = z.object({ thread_id: ThreadId });
const Body = z.object({ body: z.string() });
const Context = z.object({ id: z.int(), workspace_context: z.string().nullable() });
const Used = z.object({ sha256: z.string() });
const BridgeChangesRow = z.object({ app_id: OriginId, cursor: ChangeCursor.nullable() });

/** Implements ThreadStore with better-sqlite3: WAL, synchronous FULL, one transaction per change. */
export class SqliteThreadStore implements ThreadStore {
	readonly #db: Database.Database;
	readonly #sql: Statements;
	readonly #blobs: BlobStore;
	/** The additional tables that a window needs. */
	readonly surface: SurfaceStore;
	readonly upkeep: StoreUpkeep;
	readonly reported: ReportedUsage;
	readonly runs: KnownRunStore;
	readonly #searchIndex: SearchIndex;
	readonly #commit: (change: ThreadChange) => void;

	/** @throws AppError APP_DATABASE_NEWER, APP_DATABASE_DAMAGED */
	constructor(path: string) {
		this.#db = openAppDatabase(path);
		this.#sql = prepareStatements(this.#db);
		this.#blobs = new BlobStore(join(dirname(path), "blobs"));
		this.surface = new SurfaceStore(this.#db, this.#blobs);
		this.#searchIndex = new SearchIndex(this.#db);
		this.upkeep = new StoreUpkeep(this.#db, this.#searchIndex);
		this.reported = new ReportedUsage(this.#db);
		this.runs = new KnownRunStore(this.#db);
		this.#commit = this.#db.transaction((change: ThreadChange) => this.#write(change));
	}

	findThread(threadId: ThreadId): Thread | undefined {
		const row = this.#sql.thread.get(threadId);
		if (row === undefined) return undefined;
		const decoded = ThreadRow.parse(row);
		return decodeThread(decoded, this.#sql.turns.all(decoded.id).map(readTurn));
	}

	listThreads({ archived, limit }: ThreadQuery): readonly Thread[] {
		const filter = archived === undefined ? null : Number(archived);
		return this.#sql.threads.all({ archived: filter, limit: Math.min(limit, 500) }).map((row) => {
			const decoded = ThreadRow.parse(row);
			return decodeThread(decoded, this.#sql.newestTurn.all(decoded.id).map(readTurn));
		});
	}

	commit(change: ThreadChange): void {
		this.#commit(change);
	}

	tryDeletion(threadId: ThreadId): void {
		this.#db.exec("BEGIN IMMEDIATE");
		try {
			this.#sql.deleteThread.run(threadId);
		} finally {
			// After a severe error, SQLite has already rolled back.
			if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
		}
	}

	deleteThread(threadId: ThreadId): void {
		this.#db.transaction(() => {
			this.#sql.deleteThread.run(threadId);
			this.#sql.rememberDeleted.run(threadId);
		})();
	}

	wasDeleted(threadId: ThreadId): boolean {
		return this.#sql.deleted.get(threadId) !== undefined;
	}

	turnRecords(threadId: ThreadId): readonly TurnRecord[] {
		return this.#sql.turnRecords.all(threadId).map((row) => decodeTurnRecord(threadId, TurnRecordRow.parse(row)));
	}

	turnRecord({ threadId, turnId }: TurnKey): TurnRecord | undefined {
		const row = this.#sql.turnRecord.get(threadId, turnId);
		return row === undefined ? undefined : decodeTurnRecord(threadId, TurnRecordRow.parse(row));
	}

	/** Who started the thread, if it was not this app. */
	originOf(threadId: ThreadId): TurnRequest["origin"] {
		const row = OriginRow.optional().parse(this.#sql.origin.get(threadId));
		return row?.origin ?? undefined;
	}

	/** What a list says about the thread's newest run: why it is not a plain success, what failed, and what was not permitted. */
	listedOf(threadId: ThreadId): Pick<ListedThread, "lacking" | "failedCommands" | "unpermitted"> {
		const Row = ListedTurnsRow.pick({ lacking: true, failed_commands: true, unpermitted: true });
		const row = Row.optional().parse(this.#sql.listed.get(threadId));
		return omitUndefined({
			lacking: row?.lacking ?? undefined,
			failedCommands: row?.failed_commands ?? undefined,
			unpermitted: row?.unpermitted ?? undefined,
		});
	}

	submission({ threadId, turnId }: TurnKey): Submission | undefined {
		const row = Context.optional().parse(this.#sql.submission.get(threadId, turnId));
		if (row === undefined || row.workspace_context === null) return undefined;
		const files = this.#sql.attachments.all(row.id).map((file) => readFileRow(this.#blobs, file));
		const attachments = files.filter((file) => file !== undefined);
		// A turn is sent only with all its files.
		return attachments.length === files.length ? { workspaceContext: row.workspace_context, attachments } : undefined;
	}

	keptAttachments({ threadId, turnId }: TurnKey): readonly AttachedFile[] {
		const files = this.#sql.keptAttachments.all(threadId, turnId).map((file) => readFileRow(this.#blobs, file));
		return files.filter((file) => file !== undefined);
	}

	dropUnusedFiles(): void {
		this.#blobs.keepOnly(new Set(this.#sql.usedBlobs.all().map((row) => Used.parse(row).sha256)));
	}

	readUpdates({ threadId, turnId }: TurnKey, afterSeq: number, limit: number): TranscriptPage {
		const loose = this.#sql.updates.all({ threadId, turnId, afterSeq, limit }).map((row) => Body.parse(row).body);
		const packed = readPacked((seq) => this.#sql.pack.get({ threadId, turnId, afterSeq: seq }), afterSeq, limit);
		const updates = [...packed, ...loose].map((body) => SessionUpdate.parse(JSON.parse(body)));
		// Packed updates normally come first, but an earlier update may have been stored later.
		return updates.sort((a, b) => a.seq - b.seq).slice(0, limit);
	}

	findRun(runId: RunId): TurnKey | undefined {
		const row = this.#sql.run.get(runId);
		return row === undefined ? undefined : readKey(row);
	}

	pendingTurns(): readonly TurnKey[] {
		return this.#sql.pending.all().map(readKey);
	}

	gatewayTurns(): readonly GatewayTurn[] {
		return this.#sql.gateway.all().map((row) => {
			const { thread_id, turn_id, status } = KeyWithStatus.parse(row);
			return { threadId: thread_id, turnId: turn_id, waits: status === "waiting" };
		});
	}

	partialThreads(since: string): readonly ThreadId[] {
		return this.#sql.partial.all(since).map((row) => PartialRow.parse(row).thread_id);
	}

	unresolvedTurns(since: string): readonly TurnKey[] {
		return this.#sql.unresolved.all(since).map(readKey);
	}

	get appId(): OriginId {
		return BridgeChangesRow.parse(this.#sql.bridgeChanges.get()).app_id;
	}

	changesCursor(): ChangeCursor | undefined {
		return BridgeChangesRow.parse(this.#sql.bridgeChanges.get()).cursor ?? undefined;
	}

	keepChangesCursor(cursor: ChangeCursor): void {
		this.#sql.putCursor.run(cursor);
	}

	close(): void {
		this.#db.close();
	}

	#write({ before, after, created, sentDraft, snapshot, updates }: ThreadChange): void {
		const { id } = RowId.parse(this.#sql.putThread.get(encodeThread(after)));
		const known = new Map(before?.turns.map((turn) => [turn.turnId, turn]));
		let isListedAnew = false;
		for (const turn of after.turns) {
			const old = known.get(turn.turnId);
			if (old === turn) continue;
			if (old === undefined) this.#insertTurn(id, turn, created);
			else this.#updateTurn(id, turn, snapshot);
			const isSearchedAnew = snapshot?.turnId === turn.turnId || old?.syncedPaths !== turn.syncedPaths;
			if (isSearchedAnew) this.#putSearched(id, turn.turnId);
			isListedAnew ||= isSearchedAnew;
		}
		if (isListedAnew) this.#sql.listTurns.run({ thread: id, ...turnCounts(after) });
		if (updates !== undefined) this.#insertUpdates(id, updates);
		if (sentDraft !== undefined) this.surface.drafts.take(sentDraft, after.updatedAt);
	}

	#putSearched(thread: number, turnId: TurnId): void {
		// There is no row if the text is unchanged.
		const changed = SearchedTurn.optional().parse(this.#sql.putSearched.get({ thread, turnId }));
		if (changed !== undefined) this.#searchIndex.put(changed);
	}

	#insertTurn(thread: number, turn: Turn, created: ThreadChange["created"]): void {
		if (created === undefined) throw new RangeError(`turn ${turn.turnId} was written without its request`);
		const { request, submission } = created;
		// A turn that has already ended when it is written is never sent, and a turn that the bridge has is not sent again.
		const workspaceContext = turn.endedAt === undefined ? (submission?.workspaceContext ?? null) : null;
		const columns = { thread, prompt: request.prompt, request: encodeRequest(request), workspaceContext };
		const { id } = RowId.parse(this.#sql.insertTurn.get({ ...encodeTurn(turn), ...columns }));
		for (const { bytes, ...note } of submission?.attachments ?? []) {
			this.#blobs.put(note.sha256, bytes);
			this.#sql.insertAttachment.run(id, JSON.stringify(note));
		}
		// Only the newest turn can be retried with its files: a thread keeps the bytes of one message.
		this.#sql.dropEarlierAttachments.run(thread, id);
	}

	#updateTurn(thread: number, turn: Turn, snapshot: ThreadChange["snapshot"]): void {
		const ended = snapshot?.turnId === turn.turnId ? JSON.stringify(snapshot) : null;
		this.#sql.updateTurn.run({ ...encodeTurn(turn), thread, snapshot: ended });
		// The bridge has the turn, or the turn will never be submitted again, so the context for a repeat is no longer needed.
		if (turn.runId !== undefined || turn.endedAt !== undefined) this.#sql.dropContext.run(thread, turn.turnId);
		// A message that succeeded is not retried. After any other end, the user may want to send the same files again.
		if (turn.status === "completed") this.#sql.dropAttachments.run(thread, turn.turnId);
	}

	#insertUpdates(thread: number, { turnId, items }: NonNullable<ThreadChange["updates"]>): void {
		for (const update of items) {
			this.#sql.insertUpdate.run({ thread, turnId, seq: update.seq, body: JSON.stringify(update) });
		}
	}
}

/** The counts that a list shows for a thread: how many turns it has, and to how many different paths their files were saved. */
function turnCounts({ turns }: Thread) {
	return { turnCount: turns.length, deliveredCount: new Set(turns.flatMap(({ syncedPaths }) => syncedPaths)).size };
}

function readTurn(row: unknown): Turn {
	return decodeTurn(TurnRow.parse(row));
}

function readKey(row: unknown): TurnKey {
	const { thread_id, turn_id } = Key.parse(row);
	return { threadId: thread_id, turnId: turn_id };
}
