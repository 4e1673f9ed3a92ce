import { z } from "zod";
import { NewDelivery } from "./delivery.ts";
import { NewPlan } from "./plan.ts";

/** What a draft of a plan leaves open. */
export const DraftProblemCode = z.enum([
	/** Several contacts, or none, are meant by a name. */
	"RECIPIENT_UNKNOWN",
	/** No one is named, and the channel has no owner. */
	"RECIPIENT_REQUIRED",
	/** The words name a channel that this bridge does not have. */
	"CHANNEL_UNKNOWN",
	/** The channel is not set up, or can't be used now. */
	"CHANNEL_UNAVAILABLE",
	/** No channel is named. */
	"CHANNEL_MISSING",
	/** The time has passed. */
	"TIME_PAST",
	/** Two times can be meant. */
	"TIME_AMBIGUOUS",
	/** The words name a time that can't be read, or a schedule that a plan can't have. */
	"TIME_UNCLEAR",
	/** A message that the words don't contain word for word: it became instructions. */
	"CONTENT_CHANGED",
]);
export type DraftProblemCode = z.infer<typeof DraftProblemCode>;

/** One answer to a problem: the draft with these members instead of its own. */
export const DraftChoice = z.object({
	label: z.string().max(300),
	/** In the place of the delivery that the problem is of. */
	delivery: NewDelivery.optional(),
	scheduledFor: NewPlan.shape.scheduledFor,
});
export type DraftChoice = z.infer<typeof DraftChoice>;

/** A question about a draft, or something to know before it is made. */
export const DraftProblem = z.object({
	code: DraftProblemCode,
	/** The plan can't be made before it is answered. */
	blocks: z.boolean(),
	/** Position in `delivery`; absent: it is about the time, or the whole. */
	delivery: z.int().min(0).optional(),
	/** For a person, with the words that it is about. */
	question: z.string().max(500),
	choices: z.array(DraftChoice).max(20),
});
export type DraftProblem = z.infer<typeof DraftProblem>;

/** A plan as words ask for it. Nothing is made of it before a person says so. */
export const PlanDraft = z.object({
	title: NewPlan.shape.title,
	/** Empty if every message is given. */
	instructions: z.string().max(64 * 1024),
	work: NewPlan.shape.work.unwrap(),
	delivery: NewPlan.shape.delivery.unwrap(),
	type: NewPlan.shape.type,
	scheduledFor: NewPlan.shape.scheduledFor,
	cron: NewPlan.shape.cron,
	timezone: z.string().max(100),
	/** When it is due, in English. */
	scheduleWords: z.string().max(300),
	/** The words that each part is from, as they appear in the text; absent: the text has no such part. */
	said: z.object({ time: z.string().max(300).optional(), channels: z.array(z.string().max(300)).max(20) }),
});
export type PlanDraft = z.infer<typeof PlanDraft>;
