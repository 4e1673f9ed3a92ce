import { z } from "zod";
import { ChannelId, LintFinding, PayloadPart } from "../channels/channel.ts";
import { Sha256, Timestamp } from "../ids/ids.ts";
import { ActionId, OccurrenceId, PlanId, RequestId } from "../ids/plan-id.ts";
import { NewPlan, Occurrence, Plan, PlanChange, PlanStatus } from "../plans/plan.ts";
import { DraftProblem, PlanDraft } from "../plans/plan-draft.ts";
import { PlanUpdate } from "../plans/plan-update.ts";
import { type MethodDefinition, page } from "./method-definition.ts";

// A new schema for each method: one that is used twice would need a name in the OpenRPC document.
const ofPlan = () => z.strictObject({ planId: PlanId });
const applied = () => z.object({ occurrence: Occurrence, applied: z.boolean() });
const Revision = z.int().min(1);

/** Plans: what is to be done, when, and where the result goes (docs/protocol.md#plans). */
export const planMethods = {
	"xworkmate.plans.create": {
		params: NewPlan,
		result: Plan,
		streams: false,
		effects: true,
		summary: "Creates a plan. The same requestId with the same params returns the same plan.",
	},
	"xworkmate.plans.extract": {
		params: z.strictObject({ text: z.string().trim().min(1).max(4_000), timezone: z.string().min(1).max(100) }),
		result: z.object({
			/** True: the words ask for something to be done or sent. */
			shouldCreateTask: z.boolean(),
			/** If `shouldCreateTask` is false: why, in a sentence. */
			reason: z.string().max(500).optional(),
			task: PlanDraft.optional(),
			/** Problems of the task, in the order in which they should be answered. */
			problems: z.array(DraftProblem).max(50),
		}),
		streams: false,
		effects: false,
		summary: "Has a model draft a plan from a description. Creates nothing.",
	},
	"xworkmate.plans.update": {
		params: z.strictObject({ planId: PlanId, revision: Revision, change: PlanChange }),
		result: Plan,
		streams: false,
		effects: true,
		summary: "Changes a plan for the times that are not yet due.",
	},
	"xworkmate.plans.get": { params: ofPlan(), result: Plan, streams: false, effects: false, summary: "A plan in its current state." },
	"xworkmate.plans.list": {
		params: z.strictObject({ status: PlanStatus.optional(), needsReview: z.literal(true).optional(), ...page }),
		result: z.object({ items: z.array(Plan), nextCursor: z.string().optional(), feedSeq: z.int().min(0) }),
		streams: false,
		effects: false,
		summary:
			"Plans, newest first; deleted ones only if requested, or while they need the user. The answer includes every update up to `feedSeq`.",
	},
	"xworkmate.plans.occurrences": {
		params: z.strictObject({ planId: PlanId, occurrenceId: OccurrenceId.optional(), ...page }),
		result: z.object({ items: z.array(Occurrence), nextCursor: z.string().optional() }),
		streams: false,
		effects: false,
		summary: "A plan's occurrences, newest first, or only the one given.",
	},
	"xworkmate.plans.updates": {
		params: z.strictObject({ planId: PlanId, afterSeq: z.int().min(0).default(0), limit: page.limit }),
		result: z.object({ items: z.array(PlanUpdate) }),
		streams: false,
		effects: false,
		summary: "A plan's log after a seq, in order.",
	},
	"xworkmate.plans.schedule": {
		params: z.strictObject({
			type: NewPlan.shape.type,
			scheduledFor: NewPlan.shape.scheduledFor,
			cron: NewPlan.shape.cron,
			timezone: z.string().min(1).max(100),
		}),
		result: z.object({
			/** The schedule in English. */
			words: z.string(),
			/** At most five of the next times, with a note for each time that a clock change moves. */
			times: z.array(z.object({ at: Timestamp, note: z.string().optional() })).max(5),
		}),
		streams: false,
		effects: false,
		summary: "What a schedule means, in words and with up to five of its next times.",
	},
	"xworkmate.plans.run": {
		params: z.strictObject({ planId: PlanId, requestId: RequestId }),
		result: Occurrence,
		streams: false,
		effects: true,
		summary: "Makes a plan due now, in addition to its schedule.",
	},
	"xworkmate.plans.pause": {
		params: ofPlan(),
		result: Plan,
		streams: false,
		effects: true,
		summary: "Pauses the plan, so that nothing more comes due. What has begun continues.",
	},
	"xworkmate.plans.resume": {
		params: ofPlan(),
		result: Plan,
		streams: false,
		effects: true,
		summary: "Resumes the schedule from now on.",
	},
	"xworkmate.plans.delete": {
		params: ofPlan(),
		result: Plan,
		streams: false,
		effects: true,
		summary: "Ends a plan and everything that is pending in it. Its record is kept.",
	},
	"xworkmate.plans.cancel": {
		params: z.strictObject({ planId: PlanId, occurrenceId: OccurrenceId.optional() }),
		result: Plan,
		streams: false,
		effects: true,
		summary: "Cancels an occurrence, or all open ones: stops the run, and cancels the messages that have not been handed over.",
	},
	"xworkmate.plans.preview": {
		params: z.union([
			z.strictObject({ occurrenceId: OccurrenceId, actionId: ActionId, content: z.string().optional() }),
			z.strictObject({
				channel: ChannelId,
				content: z.string(),
				title: z.string().max(200).optional(),
				subject: z.string().max(200).optional(),
				recipient: z.string().max(64).optional(),
			}),
		]),
		result: z.object({
			payloadHash: Sha256,
			/** How many bytes the message has in total. Absent: the bridge does not count them. */
			size: z.int().min(0).optional(),
			parts: z.array(PayloadPart),
			lint: z.array(LintFinding),
		}),
		streams: false,
		effects: false,
		summary: "Exactly what would be sent, or exactly what was, and what the channel objects to.",
	},
	"xworkmate.plans.review": {
		params: z.strictObject({
			occurrenceId: OccurrenceId,
			/** Absent: all messages of the occurrence that are waiting for review. For `send` and `edit`, only one may be waiting. */
			actionId: ActionId.optional(),
			revision: Revision,
			decision: z.enum(["send", "edit", "rerun", "discard"]),
			/** For `edit`: the message to send instead. */
			content: z.string().optional(),
			/** For `send` and `edit`: the hash of the preview that was reviewed. */
			payloadHash: Sha256.optional(),
		}),
		result: applied(),
		streams: false,
		effects: true,
		summary: "Decides what happens to a held message. A late decision returns the occurrence as recorded, and `applied: false`.",
	},
	"xworkmate.plans.settle": {
		params: z.strictObject({
			occurrenceId: OccurrenceId,
			actionId: ActionId,
			revision: Revision,
			outcome: z.enum(["sent", "not_sent"]),
		}),
		result: applied(),
		streams: false,
		effects: true,
		summary: "Records whether a message arrived, if its outcome is unknown or unconfirmed. The record is final.",
	},
	"xworkmate.plans.resend": {
		params: z.strictObject({
			occurrenceId: OccurrenceId,
			actionIds: z.array(ActionId).min(1).max(20),
			requestId: RequestId,
			/** A contact to send to instead of the earlier recipient. */
			recipient: z.string().min(1).max(64).optional(),
			/** Sends to the channel's owner instead of the earlier recipient. Not with `recipient`. */
			toOwner: z.literal(true).optional(),
			/** The address that the user was shown. If a message would now go to another one, nothing is sent. */
			address: z.string().min(1).max(320).optional(),
			/** Sends a message again even though it has arrived, or may have. */
			allowDuplicate: z.literal(true).optional(),
		}),
		result: Occurrence,
		streams: false,
		effects: true,
		summary: "Sends the same deliverable again, as a new occurrence.",
	},
	"xworkmate.plans.subscribe": {
		params: z.strictObject({ planId: PlanId.optional(), afterFeedSeq: z.int().min(0).optional() }),
		result: z.object({ items: z.array(PlanUpdate), feedSeq: z.int().min(0) }),
		streams: true,
		effects: false,
		summary: "The updates of one plan, or of all plans, after a feedSeq. A JSON response contains the next page of them.",
	},
} as const satisfies Record<string, MethodDefinition>;
