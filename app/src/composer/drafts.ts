import { Attachment, caseFold, limits, type ThreadId } from "@xworkmate/contracts";
import type { AttachmentInput, FileOfDraft, KeptFile, SavedDraft } from "../api/params.ts";
import { AppError } from "../errors/app-error.ts";
import type { SqliteThreadStore } from "../store/sqlite-thread-store.ts";
import type { SurfaceStore } from "../store/surface-store.ts";
import { formatBytes } from "../text/format-measure.ts";
import type { AppEvents } from "../threads/app-events.ts";
import { replaceDraft } from "../threads/domain/replace-draft.ts";
import type { AttachmentNote, DraftFile, DraftFileId } from "../threads/index.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { attachedFile } from "../turns/compose-turn.ts";
import { attachAgain } from "./attach-again.ts";

/** The largest number of files in one message (docs/protocol.md#attachment). */
const MAX_FILES = 50;
const Note = Attachment.omit({ base64: true });

export interface DraftsParts {
	readonly store: SqliteThreadStore;
	readonly repository: ThreadRepository;
	readonly events: AppEvents;
}

/** Drafts: the text typed for a thread or a new thread, and its attached files, until they are sent. */
export class Drafts {
	readonly #parts: DraftsParts;

	constructor(parts: DraftsParts) {
		this.#parts = parts;
	}

	/**
	 * Saves a draft. `over`: the text that this window last saved; if it is given, text that another window has saved is kept.
	 * @throws AppError THREAD_NOT_FOUND
	 */
	save({ threadId, draft, over }: SavedDraft): void {
		const { drafts } = this.#parts.store.surface;
		this.#during(threadId, () => drafts.put(threadId, replaceDraft(drafts.get(threadId), { ...draft, updatedAt: timestamp() }, over)));
	}

	/**
	 * Keeps a file with the draft. A file whose id is already kept is not read again.
	 * @throws AppError THREAD_NOT_FOUND, ATTACHMENT_REFUSED, ATTACHMENT_GONE, DISK_FULL
	 */
	keepFile(given: KeptFile): DraftFile {
		const { threadId, fileId } = given;
		return this.#during(threadId, () => {
			const { drafts } = this.#parts.store.surface;
			const there = drafts.files(threadId);
			const known = there.find((file) => file.fileId === fileId);
			if (known !== undefined) return known;
			const attached = attachedFile(this.#bytesOf(given));
			const { bytes: _bytes, ...note } = attached;
			refuseUnfit(note, there);
			drafts.addFile(threadId, fileId, attached, timestamp());
			return { fileId, ...note };
		});
	}

	/** @throws AppError THREAD_NOT_FOUND */
	dropFile({ threadId, fileId }: FileOfDraft): void {
		this.#during(threadId, () => this.#parts.store.surface.drafts.dropFile(threadId, fileId));
	}

	#bytesOf(given: KeptFile): AttachmentInput {
		if ("bytes" in given) return given;
		const { threadId } = given;
		const found = threadId && attachAgain(this.#parts.store, threadId, [{ turnId: given.again, names: [given.name] }]).at(0);
		if (found) return found;
		throw new AppError("ATTACHMENT_GONE", `${given.name} from the earlier message is no longer available.`, "Attach the file again.");
	}

	/** Changes a draft. Other windows are notified only when a draft appears or disappears, not on every keystroke. */
	#during<T>(threadId: ThreadId | undefined, act: () => T): T {
		const { store, repository, events } = this.#parts;
		if (threadId !== undefined) repository.get(threadId);
		const had = store.surface.drafts.get(threadId) !== undefined;
		const done = act();
		if (had === (store.surface.drafts.get(threadId) !== undefined)) return done;
		if (threadId === undefined) events.emit("newDraftChanged");
		else events.emit("summaryChanged", threadId);
		return done;
	}
}

/**
 * The draft's files that are sent with a message.
 * @throws AppError ATTACHMENT_GONE if one is no longer stored: a message is never sent without one of its files unless the user knows
 */
export function filesOfDraft(
	store: SurfaceStore,
	threadId: ThreadId | undefined,
	files: readonly DraftFileId[],
): readonly AttachmentInput[] {
	return files.map((fileId) => {
		const found = store.drafts.file(threadId, fileId);
		if (found !== undefined) return found;
		const fix = "Reload the page to see what is attached.";
		throw new AppError("ATTACHMENT_GONE", "An attached file was sent or removed in another window.", fix);
	});
}

/** A draft may not contain more than a message can. */
function refuseUnfit(note: AttachmentNote, there: readonly DraftFile[]): void {
	const { name, sizeBytes } = note;
	const refuse = (why: string, fix: string) => new AppError("ATTACHMENT_REFUSED", `${name} can't be attached: ${why}.`, fix);
	if (sizeBytes > limits.attachmentBytes)
		throw refuse(`it is larger than ${formatBytes(limits.attachmentBytes)}`, "Attach a smaller file.");
	if (!Note.safeParse(note).success) throw refuse("its name or type is not allowed", "Rename the file.");
	const together = there.reduce((sum, file) => sum + file.sizeBytes, sizeBytes);
	if (together > limits.attachmentsBytes)
		throw refuse(`the attached files would total more than ${formatBytes(limits.attachmentsBytes)}`, "Remove a file first.");
	if (there.length >= MAX_FILES) throw refuse(`a message can have at most ${MAX_FILES} files`, "Remove a file first.");
	if (!there.some((file) => caseFold(file.name) === caseFold(name))) return;
	throw refuse("a file with this name is already attached", "Reload the page to see what is attached.");
}
