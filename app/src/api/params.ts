import { AssistantMetadata, limits, RequiredArtifact, Routing, ThreadId, TurnId } from "@xworkmate/contracts";
import { z } from "zod";
import { DraftFileId } from "../threads/domain/composed-message.ts";

/** The largest number of files in one message (docs/protocol.md#attachment). */
const MAX_FILES = 50;

const BytesInMemory = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const Bytes = { base64: z.base64() };
const File = { name: z.string(), mediaType: z.string() };

/** A file to attach. Its bytes are Base64 on the wire of the local API and a Uint8Array at both ends. */
const Attachment = z.codec(z.strictObject({ ...File, ...Bytes }), z.strictObject({ ...File, bytes: BytesInMemory }), {
	decode: ({ base64, ...file }) => ({ ...file, bytes: Buffer.from(base64, "base64") }),
	encode: ({ bytes, ...file }) => ({ ...file, base64: Buffer.from(bytes).toString("base64") }),
});
export type AttachmentInput = Readonly<z.output<typeof Attachment>>;

/** Files of earlier messages of the same thread, attached again. */
const AttachAgain = z
	.array(z.strictObject({ turnId: TurnId, names: z.array(z.string().max(255)).max(100).readonly() }).readonly())
	.max(100)
	.readonly();
export type AttachAgain = z.output<typeof AttachAgain>;

const required = {
	/** Globs of the required files, each with the minimum number of matches if more than one is needed. */
	require: z
		.array(z.union([z.string().max(1024), RequiredArtifact]))
		.max(100)
		.readonly()
		.exactOptional(),
	/** At least one file is required. */
	requiresExport: z.boolean().exactOptional(),
};

/**
 * `turnId`: created where the user presses Send. If the answer is lost and the message is sent again under this id, both calls mean the
 * same turn. If absent, each call gets a new id.
 */
const minted = { turnId: TurnId.exactOptional() };

const carried = {
	attachments: z.array(Attachment).readonly().exactOptional(),
	attachAgain: AttachAgain.exactOptional(),
	/**
	 * The message is sent from the draft of its thread, or of a new thread: the listed files of the draft are attached, and the draft is
	 * removed. Text that was typed in another window is kept.
	 */
	draft: z
		.strictObject({ files: z.array(DraftFileId).max(MAX_FILES).readonly() })
		.readonly()
		.exactOptional(),
};

export const SendRequest = z
	.strictObject({
		...minted,
		/** Absent for a new thread. */
		threadId: ThreadId.exactOptional(),
		/** The id of the new thread, created together with the turn's id. */
		begins: ThreadId.exactOptional(),
		/** The thread must exist: an id without a thread, such as a mistyped one, does not start a new thread. */
		continues: z.literal(true).exactOptional(),
		/** The user's message, as typed. */
		prompt: z.string(),
		routing: Routing,
		/** Absolute. Used only if it is under a root that the bridge allows. */
		workingDirectory: z.string().exactOptional(),
		/** If the bridge cannot use `workingDirectory`, the message is refused instead of being run in another folder. */
		workingDirectoryRequired: z.literal(true).exactOptional(),
		/** The run works in a git worktree of the thread's own instead of in the folder itself. */
		worktree: z.literal(true).exactOptional(),
		/** The folder in which the runtime works, if the user knows it. */
		remoteWorkingDirectoryHint: z.string().exactOptional(),
		/** The new thread continues another one: the runtime is given that thread's messages and answers, up to and including this turn. */
		continuesFrom: z.strictObject({ threadId: ThreadId, turnId: TurnId }).exactOptional(),
		...required,
		/** Folders to search in addition to the artifact scope, for a runtime that cannot write to the scope. */
		expectedArtifactDirs: z.array(z.string()).readonly().exactOptional(),
		/** What the message tells the bridge's own providers: the account, rules for tools, and whether the user is available to answer. */
		assistant: AssistantMetadata.exactOptional(),
		...carried,
	})
	.readonly();
export type SendRequest = z.output<typeof SendRequest>;

/** A message to queue behind the thread's turn. */
export const QueueRequest = z
	.strictObject({
		...minted,
		threadId: ThreadId,
		prompt: z.string(),
		routing: Routing,
		workingDirectory: z.string().max(4096).exactOptional(),
		worktree: z.literal(true).exactOptional(),
		...required,
		...carried,
	})
	.readonly();
export type QueueRequest = z.output<typeof QueueRequest>;

/** The typed text of a draft or an edit. Pages read it, so it is limited to as many characters as a message may have bytes. */
const Typed = z.string().max(limits.promptBytes);

/** `over`: this window's own earlier text, which the draft replaces. Text that was typed in another window is kept, in `earlier`. */
export const SavedDraft = z
	.strictObject({
		threadId: ThreadId.exactOptional(),
		draft: z
			.strictObject({
				prompt: Typed,
				routing: Routing.exactOptional(),
				workingDirectory: z.string().max(4096).exactOptional(),
				worktree: z.literal(true).exactOptional(),
				...required,
			})
			.readonly(),
		over: Typed.exactOptional(),
	})
	.readonly();
export type SavedDraft = z.output<typeof SavedDraft>;

const draftFile = { threadId: ThreadId.exactOptional(), fileId: DraftFileId };
export const FileOfDraft = z.strictObject(draftFile).readonly();
export type FileOfDraft = z.output<typeof FileOfDraft>;

/** A file to keep with a draft: its bytes, or a reference to those of an earlier message of the thread. */
export const KeptFile = z.union([
	z.codec(
		z.strictObject({ threadId: z.string().exactOptional(), fileId: z.string(), ...File, ...Bytes }),
		z.strictObject({ ...draftFile, ...File, bytes: BytesInMemory }),
		{
			decode: ({ base64, ...file }) => ({ ...file, bytes: Buffer.from(base64, "base64") }),
			encode: ({ bytes, ...file }) => ({ ...file, base64: Buffer.from(bytes).toString("base64") }),
		},
	),
	z.strictObject({ ...draftFile, name: z.string(), again: TurnId }),
]);
export type KeptFile = z.output<typeof KeptFile>;

/**
 * A change to a queued message. `prompt`: its new text, which ends the edit. `typed`: the text typed so far. `isEdited`: true begins an
 * edit, or continues one from the text typed so far; false discards the edit.
 */
export const QueuedChange = z.union([
	z.strictObject({ prompt: z.string() }),
	z.strictObject({ typed: Typed }),
	z.strictObject({ isEdited: z.boolean() }),
]);
export type QueuedChange = z.output<typeof QueuedChange>;
