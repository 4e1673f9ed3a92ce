import { z } from "zod";
import { NewDelivery } from "./delivery.ts";
import { NewPlan } from "./plan.ts";

/** What a draft of a plan leaves open. */
export const DraftProblemCode = z.enum([
	/** The text does not name exactly one contact who has an address in the channel. */
	"RECIPIENT_UNKNOWN",
	/** No recipient is named, and the channel has no owner. */
	"RECIPIENT_REQUIRED",
	/** The words name a channel that this bridge does not have. */
	"CHANNEL_UNKNOWN",
	/** The channel is not set up, or cannot be used now. */
	"CHANNEL_UNAVAILABLE",
	/** No channel is named. */
	"CHANNEL_MISSING",
	/** The time has passed. */
	"TIME_PAST",
	/** The words can mean more than one time. */
	"TIME_AMBIGUOUS",
	/** The words name a time that cannot be read, or a schedule that a plan cannot have. */
	"TIME_UNCLEAR",
	/** The draft had a message that is not in the text word for word, so the message was left out, and an agent would write one. */
	"CONTENT_CHANGED",
]);
export type DraftProblemCode = z.infer<typeof DraftProblemCode>;

/** One answer to a problem: members that replace those of the draft. */
export const DraftChoice = z.object({
	label: z.string().max(300),
	/** Replaces the delivery that the problem is about, or adds the delivery if its channel was undecided. */
	delivery: NewDelivery.optional(),
	scheduledFor: NewPlan.shape.scheduledFor,
});
export type DraftChoice = z.infer<typeof DraftChoice>;

/** A question about a draft, or something the user should know before the plan is made. */
export const DraftProblem = z.object({
	code: DraftProblemCode,
	/** True: the plan cannot be made until the problem is settled. */
	blocks: z.boolean(),
	/**
	 * Position in `delivery`, or after its end for a message whose channel is undecided. Absent: the problem is about the time or about the
	 * whole draft.
	 */
	delivery: z.int().min(0).optional(),
	/** For the user. Quotes the words that it is about, if there are any. */
	question: z.string().max(500),
	choices: z.array(DraftChoice).max(20),
});
export type DraftProblem = z.infer<typeof DraftProblem>;

/** A plan as the user's words describe it. No plan is created from it until the user confirms it. */
export const PlanDraft = z.object({
	title: NewPlan.shape.title,
	/** Empty if every message is given word for word. */
	instructions: z.string().max(64 * 1024),
	work: NewPlan.shape.work.unwrap(),
	delivery: NewPlan.shape.delivery.unwrap(),
	type: NewPlan.shape.type,
	scheduledFor: NewPlan.shape.scheduledFor,
	cron: NewPlan.shape.cron,
	timezone: z.string().max(100),
	/** When it is due, in English. */
	scheduleWords: z.string().max(300),
	/** The words behind each part, as they appear in the text. If absent, the text has no such part. */
	said: z.object({ time: z.string().max(300).optional(), channels: z.array(z.string().max(300)).max(20) }),
});
export type PlanDraft = z.infer<typeof PlanDraft>;
