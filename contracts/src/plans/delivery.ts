import { z } from "zod";
import { ChannelId, LintFinding, LintRule } from "../channels/channel.ts";
import { RunId, Sha256, Timestamp } from "../ids/ids.ts";
import { ActionId } from "../ids/plan-id.ts";

/** Why the gate rejected a deliverable. */
export const GateReason = z.enum(["missing", "empty", "declined", "unclosed", "several", "nested", "trailing", "too_large", "malformed"]);
export type GateReason = z.infer<typeof GateReason>;

/** What the gate decided about an answer. `words`: the reason, for the user. */
export const Gate = z.discriminatedUnion("valid", [
	z.object({ valid: z.literal(true) }),
	z.object({ valid: z.literal(false), reason: GateReason, words: z.string().max(300) }),
]);
export type Gate = z.infer<typeof Gate>;

/** The message to send. `source`: who wrote it. */
export const Deliverable = z.object({ text: z.string(), sha256: Sha256, source: z.enum(["model", "person", "content"]) });
export type Deliverable = z.infer<typeof Deliverable>;

export const DeliveryStatus = z.enum(["pending", "sending", "completed", "failed", "needs_review", "unknown"]);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** How far the sending of a message has progressed. From `handing_over` on, the message may have left. */
export const DeliveryStage = z.enum(["claimed", "handing_over", "accepted"]);
export type DeliveryStage = z.infer<typeof DeliveryStage>;

/** What a channel has confirmed about a message, from weakest to strongest. */
export const DeliveryProof = z.enum(["accepted", "sent", "delivered", "read"]);
export type DeliveryProof = z.infer<typeof DeliveryProof>;

const gateCodes = GateReason.options.map((reason) => `GATE_${upperCase(reason)}` as const);
const lintCodes = LintRule.options.map((rule) => `LINT_${upperCase(rule)}` as const);

function upperCase<T extends string>(text: T): Uppercase<T> {
	return text.toUpperCase() as Uppercase<T>;
}

/** Why a message waits for the user. */
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
	"WORK_UNVERIFIED",
	"STORE_RESTORED",
]);
export type ReviewCode = z.infer<typeof ReviewCode>;

/** Why a message was not sent, and will not be. */
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

/** Why the outcome of a message is unknown. */
export const UnknownCode = z.enum(["NO_ANSWER", "BRIDGE_RESTARTED", "NO_CONFIRMATION"]);
export type UnknownCode = z.infer<typeof UnknownCode>;

export const DeliveryCode = z.union([ReviewCode, NotSentCode, UnknownCode]);
export type DeliveryCode = z.infer<typeof DeliveryCode>;

/** One delivery that a plan asks for. The recipient is a contact or, if absent, the channel's owner. */
export const NewDelivery = z.strictObject({
	channel: ChannelId,
	/** A contact's id. */
	recipient: z.string().min(1).max(64).optional(),
	/** The complete message: no agent is asked to write one. */
	content: z.string().optional(),
	/** The subject of an email. Default: the plan's title. */
	subject: z
		.string()
		.trim()
		.min(1)
		.max(200)
		.regex(/^[^\p{Cc}\p{Cs}]+$/u, "must be one line, without control characters")
		.optional(),
	/** Attaches the run's files to the message. */
	attach: z.boolean().optional(),
});
export type NewDelivery = z.infer<typeof NewDelivery>;

/** A recipient as it was when a message was built. `name`: the contact's; absent: the channel's owner. */
export const AddressedTo = z.object({ address: z.string().max(1_000), name: z.string().max(1_000).optional() });
export type AddressedTo = z.infer<typeof AddressedTo>;

/** One message of an occurrence, and its state. */
export const DeliveryAction = z.object({
	...NewDelivery.shape,
	actionId: ActionId,
	status: DeliveryStatus,
	/** Set once sending has begun: how far it has progressed. */
	stage: DeliveryStage.optional(),
	code: DeliveryCode.optional(),
	/** What happened, in a sentence. */
	message: z.string().max(2_000).optional(),
	/** What to do about it. */
	fix: z.string().max(1_000).optional(),
	/** All findings, if the channel objects to the message. */
	lint: z.array(LintFinding).max(50).optional(),
	/**
	 * Why the message was held, oldest reason first, as recorded when the user decided to send or discard it, or cancelled it, or copied from
	 * the message that is sent again. While the message is held, the reasons besides `code`. Running the work again clears this list. Absent:
	 * there are none, or an earlier bridge recorded the decision.
	 */
	heldFor: z.array(DeliveryCode).max(50).optional(),
	/** Why the work couldn't be verified, in a sentence, if `WORK_UNVERIFIED` is in `heldFor` beside another `code`. */
	doubt: z.string().max(2_000).optional(),
	/**
	 * Set if a backup was restored in which the message already needed a review for the reason in `code`, or had failed, or been
	 * discarded or cancelled, and could be sent: it may have been sent since the backup was made. A decision clears this flag and records
	 * `STORE_RESTORED` in `heldFor`. A message whose status is `failed` keeps the flag. It is sent again only with `allowDuplicate`, and so is
	 * one that was discarded or cancelled with `STORE_RESTORED` in `heldFor`.
	 */
	mayHaveBeenSent: z.literal(true).optional(),
	/**
	 * The run whose text and files the message has, if the work was run again later for other messages. Absent: the newest run that
	 * completed, or the one that it rewrites.
	 */
	workedBy: RunId.optional(),
	/** How many times the message was handed over, or was about to be. */
	attempts: z.int().min(0),
	/** The earliest time at which the message will be tried again. */
	notBefore: Timestamp.optional(),
	/** sha256 of the bytes that were built for the message. */
	payloadHash: Sha256.optional(),
	/**
	 * The recipient that these bytes are addressed to, or that was refused before they were stored. Later changes to the contact do not
	 * affect it. Absent: the message goes to the inbox, or was not built.
	 */
	addressedTo: AddressedTo.optional(),
	/** The id of the message in the channel, such as a Message-ID or the key of an inbox row. */
	providerMessageId: z.string().max(1_000).optional(),
	proof: DeliveryProof.optional(),
	/** What the channel reported after the message was settled. */
	later: z
		.array(z.object({ at: Timestamp, message: z.string().max(1_000) }))
		.max(20)
		.optional(),
	/** Who settled the outcome when the channel could not: `person`. */
	settledBy: z.string().max(300).optional(),
	completedAt: Timestamp.optional(),
});
export type DeliveryAction = z.infer<typeof DeliveryAction>;
