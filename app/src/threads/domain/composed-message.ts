import { Lacking, RequiredArtifact, Routing, ThreadId, Timestamp, type TurnId, Unpermitted } from "@xworkmate/contracts";
import { z } from "zod";
import type { AttachmentNote } from "./turn-record.ts";

/** A required glob, optionally with the minimum number of files that must match it. */
const Demand = z.union([z.string(), RequiredArtifact]);

const options = {
	workingDirectory: z.string().exactOptional(),
	/** The run works in the thread's own git worktree. */
	worktree: z.literal(true).exactOptional(),
	require: z.array(Demand).readonly().exactOptional(),
	requiresExport: z.boolean().exactOptional(),
};

/** A draft as it is stored. Its files are stored separately, with their bytes. */
export const DraftBody = z.object({
	prompt: z.string(),
	routing: Routing.exactOptional(),
	...options,
	updatedAt: Timestamp,
	/** Unsent text from other windows, newest first. */
	earlier: z.array(z.string()).readonly().exactOptional(),
});
export type DraftBody = z.infer<typeof DraftBody>;

/** Assigned by the page that attached the file, so that uploading it twice stores it once. */
export const DraftFileId = z
	.string()
	.regex(/^[A-Za-z0-9-]{8,64}$/)
	.brand("DraftFileId");
export type DraftFileId = z.infer<typeof DraftFileId>;

export interface DraftFile extends AttachmentNote {
	readonly fileId: DraftFileId;
}

/** Unsent text and attached files, with the required files and the folder. */
export interface Draft extends DraftBody {
	readonly files?: readonly DraftFile[];
}

/** A draft that is being sent: its text, and the files sent with it. */
export interface SentDraft {
	/** Absent for the composer of a new thread. */
	readonly threadId?: ThreadId;
	readonly files: readonly DraftFileId[];
	/**
	 * The text that was sent. Different text, typed in another window in the meantime, stays in the draft. If absent, the draft's text is
	 * always removed.
	 */
	readonly prompt?: string;
}

/** A queued message as it is stored. The descriptions of its attachments are stored with their bytes. */
export const QueuedBody = z.object({
	prompt: z.string(),
	routing: Routing,
	...options,
	createdAt: Timestamp,
	/** Present if the message was removed from the queue: it is kept so that the removal can be undone, but never sent. */
	removedAt: Timestamp.exactOptional(),
	/** Present if a restore from a backup removed the message: it may have been sent after the backup was made. */
	removedFor: z.literal("STORE_RESTORED").exactOptional(),
	/**
	 * Present while the user edits the message: the text typed so far in place of `prompt`. The message is not sent until the edit is saved
	 * or cancelled.
	 */
	typed: z.string().exactOptional(),
	/**
	 * Present if the run before this message did not succeed and the user then sent another: the message is held until the user resumes the
	 * queue.
	 */
	heldAt: Timestamp.exactOptional(),
});
export type QueuedBody = z.infer<typeof QueuedBody>;

/** A message that waits until its thread is ready. `queuedId` becomes its turn's id, so that sending it twice creates only one turn. */
export interface QueuedMessage extends QueuedBody {
	readonly queuedId: TurnId;
	readonly attachments: readonly AttachmentNote[];
	/** Only in a removed message: true if the message becomes the first of the queue when it is put back. Not stored. */
	readonly isNext?: true;
	/** Why the message could not be sent when its turn came. Not stored. */
	readonly refusal?: { readonly code: string; readonly message: string; readonly fix?: string | undefined };
}

/** What a list shows about a thread, read by one SQL statement. */
export const ListedThreadRow = z.object({
	file_count: z.int(),
	has_draft: z.int(),
	queued_count: z.int(),
	edited_count: z.int(),
	first_file: z.string().nullable(),
	pinned_at: Timestamp.nullable(),
	/** JSON. */
	tags: z.string().nullable(),
});

/** What a list shows about the thread's turns. */
export const ListedTurnsRow = z.object({
	preview: z.string().nullable(),
	turn_count: z.int(),
	provider_id: z.string().nullable(),
	answer: z.string().nullable(),
	working_directory: z.string().nullable(),
	delivered_count: z.int(),
	collected_count: z.int().nullable(),
	lacking: Lacking.nullable(),
	failed_commands: z.int().nullable(),
	changed_count: z.int().nullable(),
	acted: z.int().nullable(),
	unpermitted: Unpermitted.nullable(),
});

export const ThreadIdRow = z.object({ thread_id: ThreadId });
