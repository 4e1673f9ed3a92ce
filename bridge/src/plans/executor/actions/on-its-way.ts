import type { ActionId, Occurrence, OccurrenceId, PlanId, Timestamp } from "@xworkmate/contracts";
import type { PlacedPlanEvent } from "../../../ports/plans/plan-event.ts";
import type { PlanStore } from "../../../ports/plans/plan-store.ts";

/** How many of a plan's last events are read. */
const MAX_EVENTS = 400;

interface ActionPlace {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
}

/**
 * Does the same as `onItsWaySince`, reading the plan's last events.
 * @throws the store's error
 */
export async function readOnItsWaySince(store: PlanStore, place: ActionPlace): Promise<Timestamp | undefined> {
	const { planId } = place;
	const lastSeq = (await store.find(planId))?.lastSeq ?? 0;
	const events = await store.readEvents({ planId, afterSeq: Math.max(0, lastSeq - MAX_EVENTS), limit: MAX_EVENTS });
	return onItsWaySince(events, place);
}

/**
 * The time since which a message has been on its way: when its work ended, or when the user decided to send it. Undefined if it is not on
 * its way according to the events. Takes linear time. The events have to be in order and end with the newest.
 */
export function onItsWaySince(
	events: readonly PlacedPlanEvent[],
	{ occurrenceId, actionId }: Pick<ActionPlace, "occurrenceId" | "actionId">,
): Timestamp | undefined {
	let since: Timestamp | undefined;
	for (const { at, event } of events.toReversed()) {
		const { body } = event;
		if (!("occurrence" in body) || body.occurrence.occurrenceId !== occurrenceId) continue;
		if (!isOnItsWay(body.occurrence, actionId)) return since;
		since = at;
	}
	return since;
}

function isOnItsWay({ status, delivery }: Occurrence, actionId: ActionId): boolean {
	const action = delivery.find((one) => one.actionId === actionId);
	return status === "delivering" && (action?.status === "pending" || action?.status === "sending");
}
