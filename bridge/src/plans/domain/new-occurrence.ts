import {
	ActionId,
	type DeliveryAction,
	type Missed,
	type NewDelivery,
	type Occurrence,
	OccurrenceId,
	type OccurrenceKind,
	omitUndefined,
	type Timestamp,
} from "@xworkmate/contracts";
import type { PlanState } from "../../ports/plans/plan-event.ts";
import { termsOf } from "./plan-state.ts";

/** The id of the plan's next occurrence. */
export function occurrenceIdOf({ plan, count }: PlanState): OccurrenceId {
	return OccurrenceId.parse(`${plan.planId}-${count + 1}`);
}

/** What a message is made from: its plan's terms. `heldFor` and `workedBy` are set only for a message that is sent again. */
type NewAction = NewDelivery & Pick<DeliveryAction, "heldFor" | "workedBy">;

export function newAction(occurrenceId: OccurrenceId, index: number, delivery: NewAction): DeliveryAction {
	return { ...delivery, actionId: ActionId.parse(`${occurrenceId}-${index + 1}`), status: "pending", attempts: 0 };
}

/** An occurrence of a plan with its present terms, before anything came of it. */
export function newOccurrence(state: PlanState, kind: OccurrenceKind, dueAt: Timestamp, missed?: Missed): Occurrence {
	const { plan } = state;
	const occurrenceId = occurrenceIdOf(state);
	const { work, delivery } = termsOf(plan);
	return {
		occurrenceId,
		planId: plan.planId,
		kind,
		dueAt,
		status: "due",
		runs: [],
		work: work.map((item) => ({ ...item, status: "pending" })),
		delivery: delivery.map((one, index) => newAction(occurrenceId, index, one)),
		...omitUndefined({ missed }),
		revision: 1,
	};
}
