import type { Decided, PlanEvent } from "../../ports/plans/plan-event.ts";

/** Marks events with the user's decision that caused them. */
export function decidedBy(decided: Decided, events: readonly PlanEvent[]): readonly PlanEvent[] {
	return events.map((event) => ({ ...event, decided }));
}
