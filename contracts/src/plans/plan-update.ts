import { z } from "zod";
import { RunId, Seq, ThreadId, Timestamp, TurnId } from "../ids/ids.ts";
import { OccurrenceId, PlanId } from "../ids/plan-id.ts";
import { Receipt } from "../receipts/receipt.ts";
import { DeliveryAction, Gate } from "./delivery.ts";
import { Occurrence, Plan, PlanStatus, WorkItem } from "./plan.ts";

/** What happened to a plan. Each carries the changed part as it is after it, so that a reader needs no rules. */
export const PlanUpdateBody = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("task:created"), plan: Plan }),
	z.object({ kind: z.literal("task:changed"), plan: Plan }),
	/** An occurrence came due, got a run, or ended. `nextDueAt`: of the plan, where it has moved; null: there is none. */
	z.object({
		kind: z.literal("task:occurrence"),
		occurrence: Occurrence,
		nextDueAt: Timestamp.nullable().optional(),
		runId: RunId.optional(),
		turnId: TurnId.optional(),
		threadId: ThreadId.optional(),
	}),
	/** The work is over. `output`: the whole answer, cut at 256 KiB, for the dashboard; it is sent to no one. */
	z.object({
		kind: z.literal("task:result"),
		occurrence: Occurrence,
		output: z.string(),
		work: z.array(WorkItem),
		gate: Gate.optional(),
	}),
	/** A message waits for a person, or a person has decided. */
	z.object({ kind: z.literal("task:review"), occurrence: Occurrence, action: DeliveryAction.optional() }),
	z.object({ kind: z.literal("task:delivery"), occurrence: Occurrence, action: DeliveryAction }),
	z.object({ kind: z.literal("task:delivery_complete"), occurrence: Occurrence, action: DeliveryAction }),
	z.object({ kind: z.literal("receipt"), receipt: Receipt }),
]);
export type PlanUpdateBody = z.infer<typeof PlanUpdateBody>;

/** Params of the `plan.update` notification. */
export const PlanUpdate = z.object({
	planId: PlanId,
	occurrenceId: OccurrenceId.optional(),
	/** Gapless from 1 in its plan. */
	seq: Seq,
	/** Rising over all plans; the `id:` of its event. */
	feedSeq: Seq,
	at: Timestamp,
	status: PlanStatus,
	update: PlanUpdateBody,
});
export type PlanUpdate = z.infer<typeof PlanUpdate>;

export const PLAN_UPDATE = "plan.update";
