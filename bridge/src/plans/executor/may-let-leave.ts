import type { FedPlanEvent } from "../../ports/plans/plan-event.ts";
import { isWorking } from "../domain/decide-occurrence.ts";

/** True if a commit may allow a message to be sent that could not be sent before. Claiming a message or handing it over does not. */
export function mayLetLeave(events: readonly FedPlanEvent[]): boolean {
	return events.some(({ event: { body, attempt } }) => {
		if (!("occurrence" in body) || attempt?.state === "claimed" || attempt?.state === "handed_over") return false;
		return body.occurrence.delivery.length > 0 && !isWorking(body.occurrence);
	});
}
