import type { FedPlanEvent } from "../../ports/plan-event.ts";
import { isWorking } from "../domain/decide-occurrence.ts";

/** Whether something may be sent after a commit that could not be before. What is only claimed or handed over frees nothing. */
export function mayLetLeave(events: readonly FedPlanEvent[]): boolean {
	return events.some(({ event: { body, attempt } }) => {
		if (!("occurrence" in body) || attempt?.state === "claimed" || attempt?.state === "handed_over") return false;
		return body.occurrence.delivery.length > 0 && !isWorking(body.occurrence);
	});
}
