import { z } from "zod";
import { RunId, Seq, ThreadId, Timestamp, TurnId } from "../ids/ids.ts";
import { OccurrenceId, PlanId } from "../ids/plan-id.ts";
import { Receipt } from "../receipts/receipt.ts";
import { DeliveryAction, Gate } from "./delivery.ts";
import { Occurrence, Plan, PlanStatus, WorkItem } from "./plan.ts";

/** What happened to a plan. Each update carries the whole changed part in its new state, so that a reader needs no rules to apply it. */
export const PlanUpdateBody = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("task:created"), plan: Plan }),
	z.object({ kind: z.literal("task:changed"), plan: Plan }),
	/**
	 * An occurrence was added, began, got a run, or was cancelled. `nextDueAt`: the plan's next time, if it has changed; null: there is none.
	 */
	z.object({
		kind: z.literal("task:occurrence"),
		occurrence: Occurrence,
		nextDueAt: Timestamp.nullable().optional(),
		runId: RunId.optional(),
		turnId: TurnId.optional(),
		threadId: ThreadId.optional(),
	}),
	/**
	 * The work has ended. `output`: the answer with everything around the message, cut off at 256 KiB. Only the message in it is ever sent.
	 */
	z.object({
		kind: z.literal("task:result"),
		occurrence: Occurrence,
		output: z.string(),
		work: z.array(WorkItem),
		gate: Gate.optional(),
	}),
	/** A message or the whole occurrence waits for the user, a message's outcome is unknown, or the user has decided. */
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
	/** Gapless from 1 within the plan. */
	seq: Seq,
	/** Rises across all plans; the `id:` of the server-sent event. */
	feedSeq: Seq,
	at: Timestamp,
	status: PlanStatus,
	update: PlanUpdateBody,
});
export type PlanUpdate = z.infer<typeof PlanUpdate>;

export const PLAN_UPDATE = "plan.update";
