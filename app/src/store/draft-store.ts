import { Attachment, type ThreadId } from "@xworkmate/contracts";
import { isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import Database from "better-sqlite3";
import { z } from "zod";
import { AppError } from "../errors/app-error.ts";
import { type Draft, DraftBody, type DraftFile, DraftFileId, type SentDraft } from "../threads/domain/composed-message.ts";
import { sentFromDraft } from "../threads/domain/replace-draft.ts";
import type { AttachedFile } from "../threads/domain/turn-record.ts";
import { readFileRow } from "./attached-file-rows.ts";
import type { BlobStore } from "./blob-store.ts";

const Body = z.object({ body: z.string() });
const Note = z.object({ file_id: DraftFileId, note: z.string() });
const NoteBody = Attachment.omit({ base64: true });

function prepareDraftStatements(db: Database.Database) {
	return {
		body: db.prepare("SELECT body FROM drafts WHERE thread_id IS ?"),
		drop: db.prepare("DELETE FROM drafts WHERE thread_id IS ?"),
		add: db.prepare("INSERT INTO drafts (thread_id, body) VALUES (?, ?)"),
		notes: db.prepare("SELECT file_id, note FROM draft_files WHERE thread_id IS ? ORDER BY id"),
		file: db.prepare("SELECT note, base64 FROM draft_files WHERE thread_id IS ? AND file_id = ?"),
		addFile: db.prepare("INSERT OR IGNORE INTO draft_files (thread_id, file_id, note) VALUES (?, ?, ?)"),
		dropFile: db.prepare("DELETE FROM draft_files WHERE thread_id IS ? AND file_id = ?"),
	};
}

/**
 * Stores unsent text and attached files as one draft per thread; the draft without a thread is for a new thread. A draft exists as long as
 * it has files or text, whether its own or from another window.
 */
export class DraftStore {
	readonly #db: Database.Database;
	readonly #blobs: BlobStore;
	readonly #sql: ReturnType<typeof prepareDraftStatements>;

	constructor(db: Database.Database, blobs: BlobStore) {
		this.#db = db;
		this.#blobs = blobs;
		this.#sql = prepareDraftStatements(db);
	}

	get(threadId: ThreadId | undefined): Draft | undefined {
		const row = this.#sql.body.get(threadId ?? null);
		if (row === undefined) return undefined;
		const files = this.files(threadId);
		return { ...DraftBody.parse(JSON.parse(Body.parse(row).body)), ...(files.length > 0 && { files }) };
	}

	/** Saves the text and the options; the files are unchanged. */
	put(threadId: ThreadId | undefined, draft: DraftBody): void {
		this.#db.transaction(() => this.#write(threadId, draft))();
	}

	files(threadId: ThreadId | undefined): readonly DraftFile[] {
		return this.#sql.notes.all(threadId ?? null).map((row) => {
			const { file_id, note } = Note.parse(row);
			return { fileId: file_id, ...NoteBody.parse(JSON.parse(note)) };
		});
	}

	/** Undefined if the file was sent or removed, or if its bytes no longer exist. */
	file(threadId: ThreadId | undefined, fileId: DraftFileId): AttachedFile | undefined {
		const row = this.#sql.file.get(threadId ?? null, fileId);
		return row === undefined ? undefined : readFileRow(this.#blobs, row);
	}

	/**
	 * Saves a file. A file that is already saved is not changed.
	 * @throws AppError DISK_FULL
	 */
	addFile(threadId: ThreadId | undefined, fileId: DraftFileId, { bytes, ...note }: AttachedFile, updatedAt: string): void {
		try {
			this.#blobs.put(note.sha256, bytes);
			this.#db.transaction(() => {
				this.#sql.addFile.run(threadId ?? null, fileId, JSON.stringify(note));
				if (this.#sql.body.get(threadId ?? null) === undefined) this.#write(threadId, { prompt: "", updatedAt });
			})();
		} catch (error) {
			throw diskRefusal(error, note.name) ?? error;
		}
	}

	dropFile(threadId: ThreadId | undefined, fileId: DraftFileId): void {
		this.#db.transaction(() => {
			this.#sql.dropFile.run(threadId ?? null, fileId);
			const draft = this.get(threadId);
			if (draft !== undefined) this.#write(threadId, draft);
		})();
	}

	/**
	 * Removes a sent draft: its text, unless another window has written something else since, and the files that were sent. Called within the
	 * transaction that writes the message.
	 */
	take({ threadId, files, prompt }: SentDraft, updatedAt: string): void {
		for (const fileId of files) this.#sql.dropFile.run(threadId ?? null, fileId);
		this.#write(threadId, sentFromDraft(this.get(threadId), prompt, updatedAt));
	}

	#write(threadId: ThreadId | undefined, draft: DraftBody): void {
		this.#sql.drop.run(threadId ?? null);
		const isKept = draft.prompt !== "" || this.#sql.notes.get(threadId ?? null) !== undefined;
		if (isKept) this.#sql.add.run(threadId ?? null, JSON.stringify(DraftBody.parse(draft)));
	}
}

/** The error for a disk that is full or fails; undefined for any other error. */
export function diskRefusal(error: unknown, name: string): AppError | undefined {
	const code = error instanceof Database.SqliteError ? error.code : systemErrorCode(error);
	const isFull = code !== undefined && isDiskFullCode(code);
	if (!isFull && !/^(?:SQLITE_IOERR|EIO$)/.test(code ?? "")) return undefined;
	const message = `${name} was not saved because ${isFull ? "the disk is full" : "the disk reported an error"}.`;
	return new AppError(
		"DISK_FULL",
		message,
		isFull ? "Free some space, then attach it again." : "Check the disk, then attach it again.",
		error,
	);
}
