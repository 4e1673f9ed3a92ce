import { z } from "zod";
import { Grounding } from "../answers/answer.ts";
import { RunId, ThreadId, Timestamp, TurnId } from "../ids/ids.ts";
import { OccurrenceId, PlanId, RequestId } from "../ids/plan-id.ts";
import { Routing } from "../routing/routing.ts";
import { RunCode, TerminalStatus } from "../runs/status.ts";
import { PolicyDecision, ToolId } from "../tools/tool-id.ts";
import { Deliverable, DeliveryAction, Gate, NewDelivery } from "./delivery.ts";

export const WorkStatus = z.enum(["pending", "completed", "failed"]);

/** What an agent researches or writes. */
export const WorkItem = z.object({ description: z.string().trim().min(1).max(2_000), status: WorkStatus });
export type WorkItem = z.infer<typeof WorkItem>;

export const PlanStatus = z.enum(["pending", "running", "needs_review", "completed", "failed", "paused", "deleted"]);
export type PlanStatus = z.infer<typeof PlanStatus>;

export const PlanType = z.enum(["immediate", "scheduled", "recurring"]);
export type PlanType = z.infer<typeof PlanType>;

export const OccurrenceKind = z.enum(["scheduled", "manual", "resend"]);
export type OccurrenceKind = z.infer<typeof OccurrenceKind>;

export const OccurrenceStatus = z.enum(["due", "running", "delivering", "needs_review", "completed", "failed", "cancelled", "skipped"]);
export type OccurrenceStatus = z.infer<typeof OccurrenceStatus>;

/** Why an occurrence failed, was skipped, or waits for a person as a whole. */
export const OccurrenceCode = z.enum([
	"WORK_FAILED",
	"DELIVERY_FAILED",
	"DELIVERY_PARTIAL",
	"OVERLAP",
	"MISSED",
	"NOTHING_TO_SAY",
	"CANCELLED",
]);
export type OccurrenceCode = z.infer<typeof OccurrenceCode>;

/** Times that passed while the bridge was off or the machine slept, as one. */
export const Missed = z.object({ count: z.int().min(1), first: Timestamp, last: Timestamp });
export type Missed = z.infer<typeof Missed>;

/** A run that an occurrence was worked on by, oldest first. */
export const PlanRun = z.object({
	runId: RunId.optional(),
	threadId: ThreadId,
	turnId: TurnId,
	/** Absent: it has not ended. */
	status: TerminalStatus.optional(),
	code: RunCode.optional(),
	message: z.string().max(2_000).optional(),
});
export type PlanRun = z.infer<typeof PlanRun>;

/** One time that a plan was due, and what came of it. */
export const Occurrence = z.object({
	occurrenceId: OccurrenceId,
	planId: PlanId,
	kind: OccurrenceKind,
	dueAt: Timestamp,
	status: OccurrenceStatus,
	code: OccurrenceCode.optional(),
	runs: z.array(PlanRun),
	work: z.array(WorkItem),
	delivery: z.array(DeliveryAction),
	/** What the gate said about the last answer; absent: there was none to look at. */
	gate: Gate.optional(),
	deliverable: Deliverable.optional(),
	/** Of a deliverable that claims what nothing in its run backs: where. In earlier records, and of the assistant: of its whole answer. */
	grounding: Grounding.optional(),
	missed: Missed.optional(),
	/** Of a resend: the occurrence whose deliverable it carries. */
	resends: OccurrenceId.optional(),
	/** Compare-and-set for a decision about it. */
	revision: z.int().min(1),
	endedAt: Timestamp.optional(),
});
export type Occurrence = z.infer<typeof Occurrence>;

const Title = z
	.string()
	.trim()
	.min(1)
	.max(200)
	.regex(/^[^\p{Cc}\p{Cs}]+$/u, "must be one line, without control characters");
const Instructions = z.string().max(64 * 1024);
const Cron = z.string().min(1).max(200);
const TimeZone = z.string().min(1).max(100);
/** How long after its time a missed occurrence may still begin automatically, in milliseconds. */
const CatchUp = z
	.int()
	.min(0)
	.max(31 * 24 * 60 * 60_000);
const NewWork = z.strictObject({ description: WorkItem.shape.description });

/** What may be changed of a plan, for times that are not yet due. */
const changeable = {
	title: Title,
	instructions: Instructions,
	work: z.array(NewWork).max(50),
	delivery: z.array(NewDelivery).max(20),
	/** Of `scheduled`. */
	scheduledFor: Timestamp.optional(),
	/** Of `recurring`: five fields, or a nickname such as `@daily`. */
	cron: Cron.optional(),
	/** IANA name of the zone that `cron` is read in. */
	timezone: TimeZone,
	routing: Routing.optional(),
	workingDirectory: z.string().min(1).max(4096).optional(),
	/** What becomes of a time that comes while the one before is not over. */
	overlap: z.enum(["skip", "queue"]),
	catchUp: CatchUp.optional(),
	/** Whether a run goes on with the conversation of the one before. */
	conversation: z.enum(["continue", "fresh"]),
	/** What an agent's refusal to write a message becomes. */
	whenDeclined: z.enum(["review", "stay_quiet"]),
	/** The rules of the plan's runs: what they may do without asking. */
	permissions: z.record(ToolId, PolicyDecision).optional(),
};

/** Params of `xworkmate.plans.create`. */
export const NewPlan = z.strictObject({
	requestId: RequestId,
	type: PlanType,
	/** The sentence that the plan was made from. */
	words: z.string().max(4_000).optional(),
	/** The thread that its runs belong to; if absent, one of its own. */
	threadId: ThreadId.optional(),
	...changeable,
	instructions: Instructions.default(""),
	work: changeable.work.default([]),
	delivery: changeable.delivery.default([]),
	timezone: TimeZone.default("UTC"),
	overlap: changeable.overlap.default("skip"),
	conversation: changeable.conversation.default("fresh"),
	whenDeclined: changeable.whenDeclined.default("review"),
});
export type NewPlan = z.infer<typeof NewPlan>;

/** Params of `xworkmate.plans.update` beside the plan and its revision; `null` takes away what may be absent. */
export const PlanChange = z
	.strictObject({
		...changeable,
		scheduledFor: Timestamp.nullable(),
		cron: Cron.nullable(),
		routing: Routing.nullable(),
		workingDirectory: z.string().min(1).max(4096).nullable(),
		catchUp: CatchUp.nullable(),
		permissions: changeable.permissions.unwrap().nullable(),
	})
	.partial();
export type PlanChange = z.infer<typeof PlanChange>;

/** A plan as it is: what it is to do, when it is due next, and how its newest occurrence is. */
export const Plan = z.object({
	...changeable,
	planId: PlanId,
	threadId: ThreadId,
	type: PlanType,
	words: z.string().optional(),
	createdAt: Timestamp,
	status: PlanStatus,
	/** Compare-and-set for a change. */
	revision: z.int().min(1),
	nextDueAt: Timestamp.optional(),
	/** When it is due, in English: `every weekday at 09:00 (Asia/Bangkok)`. */
	scheduleWords: z.string().max(300),
	/** How many of its messages wait for a person. */
	needsReview: z.int().min(0),
	lastSeq: z.int().min(1),
	/** As of the newest occurrence; before the first, all pending. */
	work: z.array(WorkItem),
	/** As of the newest occurrence; before the first, all pending. */
	delivery: z.array(DeliveryAction),
	/** The newest. */
	occurrence: Occurrence.optional(),
});
export type Plan = z.infer<typeof Plan>;
