import { z } from "zod";
import { Unavailable } from "../errors/unavailable.ts";
import { Sha256, Timestamp } from "../ids/ids.ts";

/** Where a message can go. */
export const ChannelId = z.enum(["whatsapp", "email", "dashboard", "discord"]);
export type ChannelId = z.infer<typeof ChannelId>;

/** What a channel needs before it can be used, and its current state. */
export const Channel = z.object({
	channel: ChannelId,
	/** True: messages can be sent through the channel. */
	ready: z.boolean(),
	/** Why the channel is not ready. If it is not set up, `fix` says how to set it up. */
	unavailable: Unavailable.optional(),
	/** The recipient of a message that names no other: the user's own address. */
	owner: z.string().max(320).optional(),
	/** The settings that are stored, without secrets. */
	settings: z.record(z.string().max(100), z.union([z.string().max(2_000), z.int(), z.boolean()])),
	/** Names of the secret settings that are stored. */
	secrets: z.array(z.string().max(100)),
	/** The last test message, and what happened to it. Absent too after the channel itself has refused to send a message. */
	tested: z.object({ at: Timestamp, ok: z.boolean(), problem: Unavailable.optional() }).optional(),
	/**
	 * Only for a channel whose service reports by webhook what happened to messages. `listensOn`: host and port; absent: nothing is
	 * listening.
	 */
	webhooks: z.object({ listensOn: z.string().max(300).optional() }).optional(),
	/**
	 * The time until which free-form messages may be sent to the owner; it may have passed. Absent: the owner is not known to have written.
	 */
	windowUntil: Timestamp.optional(),
});
export type Channel = z.infer<typeof Channel>;

/** One step of a channel's test. Steps are tried in the order of this list. */
export const ChannelTestStep = z.object({
	step: z.enum(["settings", "connect", "encrypt", "sign_in", "send", "accepted"]),
	ok: z.boolean(),
	/** The result, in a sentence. */
	message: z.string().max(1_000),
});
export type ChannelTestStep = z.infer<typeof ChannelTestStep>;

export const ContactId = z
	.string()
	.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1 to 64 lowercase letters, digits, '.', '_' and '-', and begin with a letter or digit")
	.brand<"ContactId">();
export type ContactId = z.infer<typeof ContactId>;

/** A person who can receive messages. */
export const Contact = z.object({
	contactId: ContactId,
	/** The name as shown. */
	name: z.string().trim().min(1).max(200),
	/** The contact's address in each channel. */
	addresses: z.partialRecord(ChannelId, z.string().min(1).max(320)),
});
export type Contact = z.infer<typeof Contact>;

/** What a channel objects to in a message. The message is held until the user has reviewed it. */
export const LintRule = z.enum([
	"too_long",
	"heading",
	"code_fence",
	"bullet",
	"table",
	"invisible",
	"bidi",
	"remote_image",
	"link_text",
	"credentials",
	"secret",
]);
export type LintRule = z.infer<typeof LintRule>;

export const LintFinding = z.object({
	rule: LintRule,
	/** Where the problem begins, in UTF-16 units of the text. Absent: it concerns the whole message. */
	at: z.int().min(0).optional(),
	/** The text in question, with hidden characters made visible. */
	excerpt: z.string().max(300).optional(),
});
export type LintFinding = z.infer<typeof LintFinding>;

/** One part of what a channel hands over, as the recipient will read it. */
export const PayloadPart = z.object({
	kind: z.enum(["headers", "text", "html", "file", "row"]),
	mediaType: z.string().max(200),
	/** Only for a file. */
	name: z.string().max(300).optional(),
	/** Absent for a file. */
	text: z.string().optional(),
	bytes: z.int().min(0),
	sha256: Sha256,
});
export type PayloadPart = z.infer<typeof PayloadPart>;

/** A row of the dashboard's inbox. */
export const InboxMessage = z.object({
	messageId: z.string().max(100),
	/** When its plan was due. A message that was held for a review arrived later. */
	at: Timestamp,
	title: z.string().max(200),
	/** Markdown. */
	text: z.string(),
	planId: z.string().max(64),
	occurrenceId: z.string().max(64),
	/** The run whose files belong to the message. */
	runId: z.string().max(64).optional(),
	read: z.boolean(),
});
export type InboxMessage = z.infer<typeof InboxMessage>;
