import type { DeliveryAction } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { type DeliveryState, deliveryStateWords, untimedState } from "../../strings/plans/plan-words.ts";

/**
 * A message's state with the time of its next attempt. Once that time has passed, none is shown, because the message may be waiting for
 * others of its channel. `timeOf` formats a time.
 */
export function timedState(
	state: DeliveryState,
	{ notBefore }: Pick<DeliveryAction, "notBefore">,
	now: number,
	timeOf: (time: string) => string,
): string {
	if (notBefore === undefined || Date.parse(notBefore) <= now) return untimedState(state);
	return fill(deliveryStateWords[state], { time: timeOf(notBefore) });
}
