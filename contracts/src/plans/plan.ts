import { z } from "zod";
import { Grounding } from "../answers/answer.ts";
import { ErrorCode } from "../errors/error-catalogue.ts";
import { RunId, ThreadId, Timestamp, TurnId } from "../ids/ids.ts";
import { OccurrenceId, PlanId, RequestId } from "../ids/plan-id.ts";
import { Routing } from "../routing/routing.ts";
import { RunCode, TerminalStatus } from "../runs/status.ts";
import { PolicyDecision, ToolId } from "../tools/tool-id.ts";
import { Deliverable, DeliveryAction, Gate, NewDelivery } from "./delivery.ts";

/**
 * `unknown`: the work's run was interrupted, so it is unclear how much of the work was done. `unverified`: the run succeeded, but its
 * record contradicts what the agent reported. `cancelled`: the run was stopped.
 */
export const WorkStatus = z.enum(["pending", "completed", "failed", "unknown", "unverified", "cancelled"]);

/** What an agent is to research or write. */
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

/** Why an occurrence failed, was skipped or cancelled, or waits for the user as a whole. */
export const OccurrenceCode = z.enum([
	"WORK_FAILED",
	/** The work's run was interrupted, so its outcome is unknown. */
	"WORK_UNKNOWN",
	/** The work's run succeeded, but its record contradicts what the agent reported. */
	"WORK_NOT_VERIFIED",
	"DELIVERY_FAILED",
	"DELIVERY_PARTIAL",
	"OVERLAP",
	"MISSED",
	/** The due time passed between a backup and the restore, so the work may have been carried out. */
	"STORE_RESTORED",
	"NOTHING_TO_SAY",
	"CANCELLED",
]);
export type OccurrenceCode = z.infer<typeof OccurrenceCode>;

/** Due times that passed before the bridge could start their work, combined. `count` stops at `limits.missedTimes`. */
export const Missed = z.object({ count: z.int().min(1), first: Timestamp, last: Timestamp });
export type Missed = z.infer<typeof Missed>;

/** Why the bridge could not accept work as a run, and since when. It keeps trying, and may keep a reason for a minute after it is over. */
export const RunWait = z.object({ code: ErrorCode, message: z.string().max(2_000), since: Timestamp });
export type RunWait = z.infer<typeof RunWait>;

/** A run that worked on an occurrence, which lists its runs oldest first. */
export const PlanRun = z.object({
	runId: RunId.optional(),
	threadId: ThreadId,
	turnId: TurnId,
	/** The run whose message this one was only asked to write again. That run's files are the work's. Absent: it was to do the work. */
	rewrites: RunId.optional(),
	/** How the run ended. Absent if it has not ended. */
	status: TerminalStatus.optional(),
	code: RunCode.optional(),
	message: z.string().max(2_000).optional(),
	/** Only while there is no run yet. */
	waits: RunWait.optional().catch(undefined),
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
	/** What the gate decided about the last answer. If absent, no answer was checked. */
	gate: Gate.optional(),
	deliverable: Deliverable.optional(),
	/**
	 * Where a deliverable claims something that nothing in its run backs. In earlier records, and for the assistant, it concerns the whole
	 * answer.
	 */
	grounding: Grounding.optional(),
	missed: Missed.optional(),
	/** Only for a resend: the occurrence whose deliverable is sent again. */
	resends: OccurrenceId.optional(),
	/** A decision has to name this revision (compare-and-set). */
	revision: z.int().min(1),
	endedAt: Timestamp.optional(),
});
export type Occurrence = z.infer<typeof Occurrence>;

const Title = z
	.string()
	.trim()
	.min(1)
	.max(200)
	.regex(/^[^\p{Cc}\p{Cs}]+$/u, "must be one line, without control characters or lone surrogates");
const Instructions = z.string().max(64 * 1024);
const Cron = z.string().min(1).max(200);
const TimeZone = z.string().min(1).max(100);
/** How long after its time a missed occurrence may still begin automatically, in milliseconds. */
const CatchUp = z
	.int()
	.min(0)
	.max(31 * 24 * 60 * 60_000);
const NewWork = z.strictObject({ description: WorkItem.shape.description });

/** What can be changed in a plan. A change affects times that are not yet due. */
const changeable = {
	title: Title,
	instructions: Instructions,
	work: z.array(NewWork).max(50),
	delivery: z.array(NewDelivery).max(20),
	/** Only for `scheduled`. */
	scheduledFor: Timestamp.optional(),
	/** Only for `recurring`: five fields, or a nickname such as `@daily`. */
	cron: Cron.optional(),
	/** The IANA name of the plan's time zone: `cron` is interpreted in it, and a single time is described in it. */
	timezone: TimeZone,
	routing: Routing.optional(),
	workingDirectory: z.string().min(1).max(4096).optional(),
	/** What happens when an occurrence becomes due before the previous one has ended. */
	overlap: z.enum(["skip", "queue"]),
	catchUp: CatchUp.optional(),
	/** Whether a run continues the conversation of the previous one. */
	conversation: z.enum(["continue", "fresh"]),
	/** What happens when an agent declines to write a message. */
	whenDeclined: z.enum(["review", "stay_quiet"]),
	/** Rules for the plan's runs: what they may do without asking. */
	permissions: z.record(ToolId, PolicyDecision).optional(),
};

/** Params of `xworkmate.plans.create`. */
export const NewPlan = z.strictObject({
	requestId: RequestId,
	type: PlanType,
	/** The sentence that the plan was made from. */
	words: z.string().max(4_000).optional(),
	/** The thread that its runs belong to. Absent: the plan gets its own. */
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

/** Params of `xworkmate.plans.update`, apart from the plan and its revision. `null` removes an optional value. */
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

/** A plan in its current state: what it is to do, when it is due next, and the state of its newest occurrence. */
export const Plan = z.object({
	...changeable,
	planId: PlanId,
	threadId: ThreadId,
	type: PlanType,
	words: z.string().optional(),
	createdAt: Timestamp,
	status: PlanStatus,
	/** Why XWorkmate paused the plan. Absent: it is not paused, the user paused it, or an earlier bridge did not record why. */
	pausedFor: z.literal("STORE_RESTORED").optional(),
	/** A change has to name this revision (compare-and-set). */
	revision: z.int().min(1),
	nextDueAt: Timestamp.optional(),
	/** When it is due, in English: `every weekday at 09:00 (Asia/Bangkok)`. */
	scheduleWords: z.string().max(300),
	/** How many of its messages wait for the user or have an unknown outcome. An occurrence that waits without messages counts as one. */
	needsReview: z.int().min(0),
	/** How many of these have an unknown outcome, which the user can settle. Absent if there are none. */
	unknownOutcomes: z.int().min(1).optional(),
	lastSeq: z.int().min(1),
	/** What the plan itself asks for, and will ask for when it is due next. Absent in updates and from earlier bridges. */
	terms: z.object({ work: z.array(z.object(NewWork.shape)), delivery: z.array(z.object(NewDelivery.shape)) }).optional(),
	/** The work items of the newest occurrence. Before the first one, all are pending. */
	work: z.array(WorkItem),
	/** The deliveries of the newest occurrence, such as those of a resend. Before the first one, all are pending. */
	delivery: z.array(DeliveryAction),
	/** The newest occurrence. */
	occurrence: Occurrence.optional(),
});
export type Plan = z.infer<typeof Plan>;
