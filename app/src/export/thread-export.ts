import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { RunId, ThreadId } from "@xworkmate/contracts";
import { makeZip } from "client-zip";
import type { QueueOfThread } from "../api/app-api.ts";
import type { ExportFormat, ExportPiece, LackingFile } from "../api/export-piece.ts";
import type { ThreadFiles } from "../api/ui-api.ts";
import { AppError } from "../errors/app-error.ts";
import { type ArchivedFiles, archiveName } from "../files/archived-files.ts";
import { exactBytes } from "../files/exact-bytes.ts";
import type { OpenedFile } from "../files/open-plain-file.ts";
import type { Thread, ThreadStore, TurnRecord } from "../threads/index.ts";
import { type Contact, storedSince } from "../threads/stored-since.ts";
import type { ThreadRepository } from "../threads/thread-repository.ts";
import { type ExportedBytes, type ExportedTurn, threadMarkdown } from "./thread-markdown.ts";
import { toldTurn } from "./told-turn.ts";

interface ExportParts {
	readonly store: Pick<ThreadStore, "turnRecords" | "readUpdates">;
	readonly repository: Pick<ThreadRepository, "get">;
	readonly queue: { detail(thread: Thread): QueueOfThread };
	readonly contact: Contact;
	readonly files: {
		list(threadId: ThreadId): Promise<ThreadFiles>;
		archive(threadId: ThreadId): Promise<ArchivedFiles>;
		open(threadId: ThreadId, runId: RunId, path: string): Promise<OpenedFile>;
	};
}

/** An export whose bytes are produced as they are read. */
export interface ExportedThread {
	/** A suitable name for the exported file. */
	readonly name: string;
	readonly body: Readable;
	/** How many files of the thread the export contains. */
	readonly files: number;
	readonly lacking: readonly LackingFile[];
}

/** Exports threads as documents that can be read without XWorkmate. */
export class ThreadExport {
	readonly #parts: ExportParts;

	constructor(parts: ExportParts) {
		this.#parts = parts;
	}

	/** @throws AppError THREAD_NOT_FOUND */
	async open(threadId: ThreadId, format: ExportFormat): Promise<ExportedThread> {
		const { store, repository, queue, contact, files: source } = this.#parts;
		const { runs } = await source.list(threadId);
		// The turns and the queue are read without a pause in between, so that a message that is being sent at that moment is in exactly one of
		// them.
		const thread = repository.get(threadId);
		const records = store.turnRecords(threadId);
		const queued = queue.detail(thread);
		const name = `${archiveName(thread.title)}.${format}`;
		// Each turn's state is read here. Its updates are read later, so they may be newer.
		const state = { exportedAt: new Date().toISOString(), ...storedSince(contact, thread) };
		const document = { thread, records: await this.#withUpdates(records, runs), queue: queued, ...state };
		if (format === "md") return { name, body: Readable.from([Buffer.from(threadMarkdown(document))]), files: 0, lacking: [] };
		const { files, lacking } = await this.#filesOf(threadId);
		const markdown = (read: readonly ExportedBytes[]) => threadMarkdown({ ...document, beside: { files: read, lacking } });
		return { name, body: this.#zip(threadId, markdown, files), files: files.length, lacking };
	}

	/** If the reader leaves early, the export ends. */
	async *pieces({ threadId, format }: { readonly threadId: ThreadId; readonly format: ExportFormat }): AsyncGenerator<ExportPiece> {
		const { body, ...about } = await this.open(threadId, format);
		try {
			for await (const bytes of body) yield { type: "piece", base64: Buffer.from(bytes).toString("base64") };
		} finally {
			body.destroy();
		}
		yield { type: "ended", ...about };
	}

	async #withUpdates(records: readonly TurnRecord[], runs: ThreadFiles["runs"]): Promise<readonly ExportedTurn[]> {
		const files = new Map(runs.map((run) => [run.turnId, run.files]));
		const turns: ExportedTurn[] = [];
		for (const record of records) {
			const { threadId, turn } = record;
			const told = await toldTurn(this.#parts.store, { threadId, turnId: turn.turnId });
			turns.push({ ...record, ...told, files: files.get(turn.turnId) ?? [] });
		}
		return turns;
	}

	async #filesOf(threadId: ThreadId): Promise<Pick<ArchivedFiles, "files" | "lacking">> {
		try {
			return await this.#parts.files.archive(threadId);
		} catch (error) {
			// A thread without files is also exported.
			if (error instanceof AppError && error.code === "FILE_NOT_FOUND") return { files: [], lacking: [] };
			throw error;
		}
	}

	/**
	 * A file that cannot be read breaks the stream. The document and the list of hashes come last, because they describe the bytes that are
	 * in the zip: a file may be removed from the folder before it is read.
	 */
	#zip(threadId: ThreadId, document: (read: readonly ExportedBytes[]) => string, files: ArchivedFiles["files"]): Readable {
		const source = this.#parts.files;
		const sums: string[] = [];
		async function* entries() {
			const read: ExportedBytes[] = [];
			for (const { runId, path } of files) {
				const file = await source.open(threadId, runId, path);
				const hash = createHash("sha256");
				const input = hashed(exactBytes(file.read(0, file.sizeBytes - 1), file.sizeBytes), hash);
				yield { name: `files/${path}`, lastModified: new Date(file.modifiedMs), size: file.sizeBytes, input };
				sums.push(sumLine(hash.digest("hex"), `files/${path}`));
				read.push({ path, from: file.from });
			}
			const markdown = document(read);
			yield { name: "thread.md", input: markdown };
			sums.push(sumLine(createHash("sha256").update(markdown).digest("hex"), "thread.md"));
			yield { name: "SHA256SUMS", input: sums.join("") };
		}
		return Readable.from(makeZip(entries()));
	}
}

/** A line in the format of `sha256sum -c`. A run's paths have neither line feeds nor backslashes, so nothing is escaped. */
function sumLine(hash: string, path: string): string {
	return `${hash}  ${path}\n`;
}

async function* hashed(bytes: Readable, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
	for await (const chunk of bytes) {
		const piece = Buffer.from(chunk);
		hash.update(piece);
		yield piece;
	}
}
