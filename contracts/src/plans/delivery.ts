import { z } from "zod";
import { ChannelId, LintFinding, LintRule } from "../channels/channel.ts";
import { Sha256, Timestamp } from "../ids/ids.ts";
import { ActionId } from "../ids/plan-id.ts";

/** Why the gate rejected a deliverable. */
export const GateReason = z.enum(["missing", "empty", "declined", "unclosed", "several", "nested", "trailing", "too_large", "malformed"]);
export type GateReason = z.infer<typeof GateReason>;

/** What the gate said about an answer. `words`: for a person. */
export const Gate = z.discriminatedUnion("valid", [
	z.object({ valid: z.literal(true) }),
	z.object({ valid: z.literal(false), reason: GateReason, words: z.string().max(300) }),
]);
export type Gate = z.infer<typeof Gate>;

/** The message that leaves. `source`: who wrote it. */
export const Deliverable = z.object({ text: z.string(), sha256: Sha256, source: z.enum(["model", "person", "content"]) });
export type Deliverable = z.infer<typeof Deliverable>;

export const DeliveryStatus = z.enum(["pending", "sending", "completed", "failed", "needs_review", "unknown"]);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** How far a message is that is being sent. From `handing_over` on it may have left. */
export const DeliveryStage = z.enum(["claimed", "handing_over", "accepted"]);
export type DeliveryStage = z.infer<typeof DeliveryStage>;

/** How much a channel vouches for. */
export const DeliveryProof = z.enum(["accepted", "sent", "delivered", "read"]);
export type DeliveryProof = z.infer<typeof DeliveryProof>;

const gateCodes = GateReason.options.map((reason) => `GATE_${upperCase(reason)}` as const);
const lintCodes = LintRule.options.map((rule) => `LINT_${upperCase(rule)}` as const);

function upperCase<T extends string>(text: T): Uppercase<T> {
	return text.toUpperCase() as Uppercase<T>;
}

/** Why a message waits for a person. */
export const ReviewCode = z.enum([
	...gateCodes,
	...lintCodes,
	"CHANNEL_AUTH",
	"CHANNEL_BLOCKED",
	"CHANNEL_UNAVAILABLE",
	"RECIPIENT_UNKNOWN",
	"WINDOW_CLOSED",
	"TEMPLATE_INVALID",
	"ATTACHMENT_MISSING",
	"RUN_INTERRUPTED",
	"RETRIES_EXHAUSTED",
	"TOO_LATE",
	"MISSED",
	"SEND_LIMIT",
	"DUPLICATE_CONTENT",
	"UNVERIFIED_CLAIM",
	"STORE_RESTORED",
]);
export type ReviewCode = z.infer<typeof ReviewCode>;

/** Why a message did not leave, and will not. */
export const NotSentCode = z.enum([
	"RECIPIENT_REFUSED",
	"CONTENT_REFUSED",
	"WORK_FAILED",
	"DISCARDED",
	"CANCELLED",
	"NOT_SENT",
	"NOTHING_TO_SAY",
]);
export type NotSentCode = z.infer<typeof NotSentCode>;

/** Why it is not known whether a message left. */
export const UnknownCode = z.enum(["NO_ANSWER", "BRIDGE_RESTARTED", "NO_CONFIRMATION"]);
export type UnknownCode = z.infer<typeof UnknownCode>;

export const DeliveryCode = z.union([ReviewCode, NotSentCode, UnknownCode]);
export type DeliveryCode = z.infer<typeof DeliveryCode>;

/** What a plan asks for; the recipient is a contact or, if absent, the channel's owner. */
export const NewDelivery = z.strictObject({
	channel: ChannelId,
	/** A contact's id. */
	recipient: z.string().min(1).max(64).optional(),
	/** The complete message, for which no agent is asked. */
	content: z.string().optional(),
	/** Of an email; if absent, the plan's title. */
	subject: z
		.string()
		.trim()
		.min(1)
		.max(200)
		.regex(/^[^\p{Cc}\p{Cs}]+$/u, "must be one line, without control characters")
		.optional(),
	/** Sends the run's files along. */
	attach: z.boolean().optional(),
});
export type NewDelivery = z.infer<typeof NewDelivery>;

/** One message of an occurrence, and how it is. */
export const DeliveryAction = z.object({
	...NewDelivery.shape,
	actionId: ActionId,
	status: DeliveryStatus,
	/** While it is being sent, and after that how far it got. */
	stage: DeliveryStage.optional(),
	code: DeliveryCode.optional(),
	/** What happened, in a sentence. */
	message: z.string().max(2_000).optional(),
	/** What to do about it. */
	fix: z.string().max(1_000).optional(),
	/** All findings, if the channel objects to the message. */
	lint: z.array(LintFinding).max(50).optional(),
	/** How often it was handed over, or was about to be. */
	attempts: z.int().min(0),
	/** It is tried again, not before this time. */
	notBefore: Timestamp.optional(),
	/** sha256 of the bytes that were built for it. */
	payloadHash: Sha256.optional(),
	/** Its id there: a Message-ID, the key of an inbox row. */
	providerMessageId: z.string().max(1_000).optional(),
	proof: DeliveryProof.optional(),
	/** What the channel said after the end. */
	later: z
		.array(z.object({ at: Timestamp, message: z.string().max(1_000) }))
		.max(20)
		.optional(),
	/** Who settled it when the channel could not: `person`. */
	settledBy: z.string().max(300).optional(),
	completedAt: Timestamp.optional(),
});
export type DeliveryAction = z.infer<typeof DeliveryAction>;
