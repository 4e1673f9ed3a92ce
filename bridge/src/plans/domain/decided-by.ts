import type { Decided, PlanEvent } from "../../ports/plan-event.ts";

/** Events that a person's decision led to. */
export function decidedBy(decided: Decided, events: readonly PlanEvent[]): readonly PlanEvent[] {
	return events.map((event) => ({ ...event, decided }));
}
