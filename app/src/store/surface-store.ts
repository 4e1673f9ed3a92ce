import { randomUUID } from "node:crypto";
import { Attachment, type ThreadId, TurnId } from "@xworkmate/contracts";
import type Database from "better-sqlite3";
import { z } from "zod";
import { AppError } from "../errors/app-error.ts";
import {
	type DraftBody,
	DraftFileId,
	ListedThreadRow,
	ListedTurnsRow,
	QueuedBody,
	type QueuedMessage,
	type SentDraft,
	ThreadIdRow,
} from "../threads/domain/composed-message.ts";
import type { ListedThread } from "../threads/domain/listed-thread.ts";
import type { ThreadMarks } from "../threads/domain/thread-marks.ts";
import type { AttachedFile } from "../threads/domain/turn-record.ts";
import { readFilesText } from "./attached-file-rows.ts";
import type { BlobStore } from "./blob-store.ts";
import { DraftStore } from "./draft-store.ts";
import { prepareSurfaceStatements } from "./surface-statements.ts";
import { decodeThread, decodeTurn, ThreadRow, TurnRow } from "./thread-rows.ts";
import { ThreadSearch } from "./thread-search.ts";

const Listed = z.object({
	threads: ThreadRow,
	turns: z.looseObject({ turn_id: z.string().nullable() }),
	listed_turns: ListedTurnsRow,
	$: ListedThreadRow,
});
const RowId = z.int();
/** The number of threads whose turns are counted in one batch. If a start is interrupted, the next start continues after the last batch. */
const COUNTED_AT_ONCE = 20;
const Body = z.object({ body: z.string() });
const Queued = Body.extend({ queued_id: TurnId, notes: z.string(), is_next: z.int().exactOptional() });
const Files = z.object({ attachments: z.string() });
const Notes = z.array(Attachment.omit({ base64: true }));
const Kept = z.object({ turn_id: TurnId, name: z.string() });
const MarksRow = ListedThreadRow.pick({ pinned_at: true, tags: true });
const Tags = z.array(z.string()).readonly();
const Prompt = z.object({ prompt: z.string() });
const RECENT_PROMPTS = 50;
/** A longer prompt is left out: it is a document, and 50 of them would be a large answer. */
const RECENT_PROMPT_CHARACTERS = 8_000;

/** Stores what a window needs in addition to the threads: lists, drafts, queued messages, links and browser sessions. */
export class SurfaceStore {
	readonly drafts: DraftStore;
	readonly search: ThreadSearch;
	readonly #sql: ReturnType<typeof prepareSurfaceStatements>;
	readonly #db: Database.Database;
	readonly #blobs: BlobStore;

	constructor(db: Database.Database, blobs: BlobStore) {
		this.#db = db;
		this.#blobs = blobs;
		this.drafts = new DraftStore(db, blobs);
		this.search = new ThreadSearch(db);
		this.#sql = prepareSurfaceStatements(db);
	}

	/** Every thread, most recently changed first. */
	list(): readonly ListedThread[] {
		while (this.countTurns() > 0);
		return this.#sql.listed.all().map(decodeListed);
	}

	listed(threadId: ThreadId): ListedThread | undefined {
		const read = () => this.#sql.listedOne.get(threadId);
		let row = read();
		if (row === undefined) {
			this.countTurns(threadId);
			row = read();
		}
		return row === undefined ? undefined : decodeListed(row);
	}

	/**
	 * Counts the turns of some threads that an earlier version wrote, once per thread. After that, each commit that adds a turn, ends a turn
	 * or saves its files updates the counts. Returns how many threads are left to count.
	 */
	countTurns(threadId: ThreadId | null = null): number {
		const uncounted = this.#sql.uncounted.all({ threadId }).map((id) => RowId.parse(id));
		const some = uncounted.slice(0, COUNTED_AT_ONCE);
		this.#db.transaction(() => {
			for (const thread of some) this.#sql.countTurns.run({ thread });
		})();
		return uncounted.length - some.length;
	}

	/** The names of attached files whose bytes are still stored, by turn. */
	keptAttachments(threadId: ThreadId): ReadonlyMap<TurnId, readonly string[]> {
		const rows = this.#sql.keptAttachments.all(threadId).map((row) => Kept.parse(row));
		return new Map(
			[...Map.groupBy(rows, ({ turn_id }) => turn_id)].map(([turnId, kept]) => [turnId, kept.map(({ name }) => name)] as const),
		);
	}

	/** The latest prompts of all threads, newest first, without duplicates. */
	recentPrompts(): readonly string[] {
		const rows = this.#sql.prompts.all({ limit: 4 * RECENT_PROMPTS, longest: RECENT_PROMPT_CHARACTERS });
		return [...new Set(rows.map((row) => Prompt.parse(row).prompt))].slice(0, RECENT_PROMPTS);
	}

	/** The marks that the user gave the thread. */
	marks(threadId: ThreadId): ThreadMarks {
		const row = MarksRow.optional().parse(this.#sql.marks.get(threadId));
		return row === undefined ? {} : marksOf(row);
	}

	putMarks(
		threadId: ThreadId,
		{ pinnedAt = null, tags = [] }: { readonly pinnedAt?: string | null; readonly tags?: readonly string[] },
	): void {
		this.#sql.putMarks.run({ threadId, pinnedAt, tags: JSON.stringify(tags) });
	}

	/** In the order in which they will be sent. */
	queued(threadId: ThreadId): readonly QueuedMessage[] {
		return this.#sql.queued.all(threadId).map(decodeQueued);
	}

	/** Messages that were removed from the queue, in the order in which they were removed. */
	removed(threadId: ThreadId): readonly QueuedMessage[] {
		return this.#sql.removed.all(threadId).map(decodeQueued);
	}

	/** @throws AppError ATTACHMENT_GONE if a file no longer exists, because a message is sent only with all its files */
	queuedAttachments(queuedId: TurnId): readonly AttachedFile[] {
		const files = readFilesText(this.#blobs, Files.parse(this.#sql.queuedFiles.get(queuedId)).attachments);
		if (files !== undefined) return files;
		const fix = "Remove the message from the queue, then write it again.";
		throw new AppError("ATTACHMENT_GONE", "A file attached to this message is no longer available.", fix);
	}

	/** Adds a message to the queue. If it was sent from a draft, what was sent is removed from the draft in the same transaction. */
	addQueued(
		threadId: ThreadId,
		queuedId: TurnId,
		body: QueuedBody,
		attachments: readonly AttachedFile[],
		sentDraft: SentDraft | undefined,
	): void {
		const notes = JSON.stringify(attachments.map(({ bytes: _bytes, ...note }) => note));
		for (const { sha256, bytes } of attachments) this.#blobs.put(sha256, bytes);
		const columns = { body: JSON.stringify(body), notes, attachments: notes };
		this.#db.transaction(() => {
			this.#sql.addQueued.run({ threadId, queuedId, ...columns });
			if (sentDraft !== undefined) this.drafts.take(sentDraft, body.createdAt);
		})();
	}

	putQueued(queuedId: TurnId, body: QueuedBody): void {
		this.#sql.putQueuedBody.run(JSON.stringify(body), queuedId);
	}

	orderQueued(order: readonly TurnId[]): void {
		this.#db.transaction(() => {
			for (const [place, queuedId] of order.entries()) this.#sql.placeQueued.run(place + 1, queuedId);
		})();
	}

	/** Turns a queued message into the thread's draft, with its files, in one transaction. */
	moveToDraft(threadId: ThreadId, queuedId: TurnId, draft: DraftBody): void {
		this.#db.transaction(() => {
			this.drafts.put(threadId, draft);
			for (const attachment of this.queuedAttachments(queuedId))
				this.drafts.addFile(threadId, DraftFileId.parse(randomUUID()), attachment, draft.updatedAt);
			this.dropQueued(queuedId);
		})();
	}

	dropQueued(queuedId: TurnId): void {
		this.#sql.dropQueued.run(queuedId);
	}

	threadsWithQueue(): readonly ThreadId[] {
		return this.#sql.queuedThreads.all().map((row) => ThreadIdRow.parse(row).thread_id);
	}

	addLink(hash: string, { expiresAt, now, atMost }: { readonly expiresAt: number; readonly now: number; readonly atMost: number }): void {
		this.#db.transaction(() => {
			this.#sql.addLink.run(hash, expiresAt);
			this.#sql.dropLinks.run({ now, atMost });
		})();
	}

	takeLink(hash: string, now: number): boolean {
		return this.#sql.takeLink.get(hash, now) !== undefined;
	}

	addSession(hash: string, expiresAt: number, now: number): void {
		this.#sql.dropSessions.run(now);
		this.#sql.addSession.run(hash, expiresAt);
	}

	hasSession(hash: string, now: number): boolean {
		return this.#sql.session.get(hash, now) !== undefined;
	}
}

function decodeQueued(row: unknown): QueuedMessage {
	const { queued_id, body, notes, is_next } = Queued.parse(row);
	const message = { queuedId: queued_id, ...QueuedBody.parse(JSON.parse(body)), attachments: Notes.parse(JSON.parse(notes)) };
	return is_next === 1 ? { ...message, isNext: true } : message;
}

function marksOf({ pinned_at, tags }: z.infer<typeof MarksRow>): ThreadMarks {
	const named = tags === null ? [] : Tags.parse(JSON.parse(tags));
	return { ...(pinned_at !== null && { pinnedAt: pinned_at }), ...(named.length > 0 && { tags: named }) };
}

function decodeListed(row: unknown): ListedThread {
	const { threads, turns, ...rest } = Listed.parse(row);
	const $ = { ...rest.$, ...rest.listed_turns };
	const turn = turns.turn_id === null ? undefined : decodeTurn(TurnRow.parse({ ...turns, synced_paths: "[]" }));
	const {
		lastTaskArtifactRelativePaths: _paths,
		turns: _turns,
		deleted: _deleted,
		sessionId: _session,
		...thread
	} = decodeThread(threads, []);
	const { syncedPaths: _synced, ...lastTurn } = turn ?? { syncedPaths: [] };
	return {
		...thread,
		...("turnId" in lastTurn && { lastTurn }),
		turnCount: $.turn_count,
		fileCount: $.file_count,
		preview: $.preview ?? "",
		...($.provider_id !== null && { providerId: $.provider_id }),
		...($.working_directory !== null && { workingDirectory: $.working_directory }),
		artifactCount: $.delivered_count,
		collectedCount: $.collected_count ?? 0,
		...($.answer !== null && $.answer !== "" && { answer: $.answer }),
		...($.lacking !== null && { lacking: $.lacking }),
		...($.failed_commands !== null && { failedCommands: $.failed_commands }),
		...($.unpermitted !== null && { unpermitted: $.unpermitted }),
		...($.changed_count !== null && $.changed_count > 0 && { changedCount: $.changed_count }),
		...($.acted === 1 && { hasActed: true as const }),
		...marksOf($),
		...($.first_file !== null && { firstFile: $.first_file }),
		hasDraft: $.has_draft === 1,
		queuedCount: $.queued_count,
		...($.edited_count > 0 && { editedCount: $.edited_count }),
	};
}
