import { limits, RequiredArtifact, Routing, ThreadId, TurnId } from "@xworkmate/contracts";
import { z } from "zod";
import { DraftFileId } from "../threads/domain/composed-message.ts";

/** As many files as one message takes (docs/protocol.md#attachment). */
const MAX_FILES = 50;

const BytesInMemory = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const Bytes = { base64: z.base64() };
const File = { name: z.string(), mediaType: z.string() };

/** A file to send along. Bytes cross the local API as Base64 and are bytes on both sides of it. */
const Attachment = z.codec(z.strictObject({ ...File, ...Bytes }), z.strictObject({ ...File, bytes: BytesInMemory }), {
	decode: ({ base64, ...file }) => ({ ...file, bytes: Buffer.from(base64, "base64") }),
	encode: ({ bytes, ...file }) => ({ ...file, base64: Buffer.from(bytes).toString("base64") }),
});
export type AttachmentInput = Readonly<z.output<typeof Attachment>>;

/** Files that an earlier message of the same thread carried, once more. */
const AttachAgain = z.strictObject({ turnId: TurnId, names: z.array(z.string().max(255)).max(100).readonly() }).readonly();
export type AttachAgain = z.output<typeof AttachAgain>;

const required = {
	/** Globs of files that must come out, where one is not enough with how many. */
	require: z
		.array(z.union([z.string().max(1024), RequiredArtifact]))
		.max(100)
		.readonly()
		.exactOptional(),
	/** At least one file must come out. */
	requiresExport: z.boolean().exactOptional(),
};

/** Minted where the user presses: sent again under it, after an answer that was lost, a message is one turn. Absent = another each time. */
const minted = { turnId: TurnId.exactOptional() };

const carried = {
	attachments: z.array(Attachment).readonly().exactOptional(),
	attachAgain: AttachAgain.exactOptional(),
	/**
	 * The message is the draft of its thread, or of a new one: these of its files go along, and it is not a draft any more.
	 * Other words, which another window typed, stay.
	 */
	draft: z
		.strictObject({ files: z.array(DraftFileId).max(MAX_FILES).readonly() })
		.readonly()
		.exactOptional(),
};

export const SendRequest = z
	.strictObject({
		...minted,
		/** Absent = a new thread. */
		threadId: ThreadId.exactOptional(),
		/** The id of the new thread, minted with the turn's. */
		begins: ThreadId.exactOptional(),
		/** The thread exists: an id without one, such as a mistyped id, starts none. */
		continues: z.literal(true).exactOptional(),
		/** The user's message, as typed. */
		prompt: z.string(),
		routing: Routing,
		/** Absolute; used when it is under a root that the bridge allows. */
		workingDirectory: z.string().exactOptional(),
		/** The message is refused where the bridge can't use `workingDirectory`, and not run elsewhere. */
		workingDirectoryRequired: z.literal(true).exactOptional(),
		/** Where the runtime works, when the user knows it. */
		remoteWorkingDirectoryHint: z.string().exactOptional(),
		...required,
		/** Folders to look in, in addition to the artifact scope, if the runtime cannot write there. */
		expectedArtifactDirs: z.array(z.string()).readonly().exactOptional(),
		...carried,
	})
	.readonly();
export type SendRequest = z.output<typeof SendRequest>;

/** A message to be sent behind the thread's turn. */
export const QueueRequest = z
	.strictObject({
		...minted,
		threadId: ThreadId,
		prompt: z.string(),
		routing: Routing,
		workingDirectory: z.string().max(4096).exactOptional(),
		...required,
		...carried,
	})
	.readonly();
export type QueueRequest = z.output<typeof QueueRequest>;

/** What is typed goes to every page with the state: no more of it than may be sent. */
const Typed = z.string().max(limits.promptBytes);

/** `over` = this window's own words, which the draft replaces: those that another window typed stay beside them, in `earlier`. */
export const SavedDraft = z
	.strictObject({
		threadId: ThreadId.exactOptional(),
		draft: z
			.strictObject({
				prompt: Typed,
				routing: Routing.exactOptional(),
				workingDirectory: z.string().max(4096).exactOptional(),
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

/** A file to keep with a draft: its bytes, or those of an earlier message of the thread. */
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
 * What becomes of a queued message: its new words, which end the edit; what is typed so far; or an edit that begins (with
 * what is typed already, if anything) or is given up.
 */
export const QueuedChange = z.union([
	z.strictObject({ prompt: z.string() }),
	z.strictObject({ typed: Typed }),
	z.strictObject({ isEdited: z.boolean() }),
]);
export type QueuedChange = z.output<typeof QueuedChange>;
