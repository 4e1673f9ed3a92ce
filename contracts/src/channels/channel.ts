import { z } from "zod";
import { Unavailable } from "../errors/unavailable.ts";
import { Sha256, Timestamp } from "../ids/ids.ts";

/** Where a message can go. */
export const ChannelId = z.enum(["whatsapp", "email", "dashboard", "discord"]);
export type ChannelId = z.infer<typeof ChannelId>;

/** What an action's channel needs to be used, and how it is. */
export const Channel = z.object({
	channel: ChannelId,
	/** It can be sent with. */
	ready: z.boolean(),
	/** Why not; of a channel that is not set up, how to set it up. */
	unavailable: Unavailable.optional(),
	/** The recipient of a message that names none: an address of the user. */
	owner: z.string().max(320).optional(),
	/** What is set, without secrets. */
	settings: z.record(z.string().max(100), z.union([z.string().max(2_000), z.int(), z.boolean()])),
	/** Names of the settings that are secrets and are stored. */
	secrets: z.array(z.string().max(100)),
	/** The last test send. */
	tested: z.object({ at: Timestamp, ok: z.boolean(), problem: Unavailable.optional() }).optional(),
	/** Of a channel whose service says by webhooks what became of messages. `listensOn`: host and port; absent: nothing listens. */
	webhooks: z.object({ listensOn: z.string().max(300).optional() }).optional(),
	/** Until when the owner may be written to freely, or could be; absent: they have not written, as far as is known. */
	windowUntil: Timestamp.optional(),
});
export type Channel = z.infer<typeof Channel>;

/** One step of a channel's test, in the order in which they are tried. */
export const ChannelTestStep = z.object({
	step: z.enum(["settings", "connect", "encrypt", "sign_in", "send", "accepted"]),
	ok: z.boolean(),
	/** What was found, in a sentence. */
	message: z.string().max(1_000),
});
export type ChannelTestStep = z.infer<typeof ChannelTestStep>;

export const ContactId = z
	.string()
	.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be lower case letters, digits, '.', '_' or '-'")
	.brand<"ContactId">();
export type ContactId = z.infer<typeof ContactId>;

/** A person who can receive messages. */
export const Contact = z.object({
	contactId: ContactId,
	/** As shown. */
	name: z.string().trim().min(1).max(200),
	/** Their address in each channel. */
	addresses: z.partialRecord(ChannelId, z.string().min(1).max(320)),
});
export type Contact = z.infer<typeof Contact>;

/** What a channel objects to in a message; it is held until a person has looked. */
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
	/** Where it begins, in UTF-16 units of the text; absent: it is of the whole. */
	at: z.int().min(0).optional(),
	/** What was found there, with hidden characters made visible. */
	excerpt: z.string().max(300).optional(),
});
export type LintFinding = z.infer<typeof LintFinding>;

/** One part of what a channel hands over, as it will be read. */
export const PayloadPart = z.object({
	kind: z.enum(["headers", "text", "html", "file", "row"]),
	mediaType: z.string().max(200),
	/** Of a file. */
	name: z.string().max(300).optional(),
	/** Absent of a file. */
	text: z.string().optional(),
	bytes: z.int().min(0),
	sha256: Sha256,
});
export type PayloadPart = z.infer<typeof PayloadPart>;

/** A row of the dashboard's inbox. */
export const InboxMessage = z.object({
	messageId: z.string().max(100),
	at: Timestamp,
	title: z.string().max(200),
	/** Markdown. */
	text: z.string(),
	planId: z.string().max(64),
	occurrenceId: z.string().max(64),
	/** The files of its run are those of the message. */
	runId: z.string().max(64).optional(),
	read: z.boolean(),
});
export type InboxMessage = z.infer<typeof InboxMessage>;
