import type { ActionId, DeliveryAction, OccurrenceId, Plan } from "@xworkmate/contracts";
import type { OpenOccurrence, PlanEvent, PlanState } from "../../../ports/plans/plan-event.ts";

/** A message with its occurrence and its plan. */
export interface OpenAction {
	readonly plan: Plan;
	readonly open: OpenOccurrence;
	readonly action: DeliveryAction;
}

interface ActionPlace {
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
}

/** The message, if its occurrence is open; undefined if the occurrence is over. */
export function findOpenAction({ plan, open }: PlanState, { occurrenceId, actionId }: ActionPlace): OpenAction | undefined {
	const one = open.find(({ occurrence }) => occurrence.occurrenceId === occurrenceId);
	const action = one?.occurrence.delivery.find((each) => each.actionId === actionId);
	return one === undefined || action === undefined ? undefined : { plan, open: one, action };
}

/** Applies a decision to a message; no events if its occurrence is over. */
export function ofOpenAction(
	place: ActionPlace,
	decide: (found: OpenAction) => readonly PlanEvent[],
): (state: PlanState) => readonly PlanEvent[] {
	return (state) => {
		const found = findOpenAction(state, place);
		return found === undefined ? [] : decide(found);
	};
}
