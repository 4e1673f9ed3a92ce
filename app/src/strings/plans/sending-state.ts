import type { Occurrence } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";

/**
 * An occurrence is `delivering` until all its messages have ended. If all those left are waiting, no message is being sent, but others may
 * have been.
 */
export function sendingState(delivery: Occurrence["delivery"]): "delivering" | "unsent" | "partly_unsent" | "retrying" {
	const left = delivery.filter(({ status }) => status === "pending" || status === "sending");
	if (left.length === 0 || left.some(({ status }) => status === "sending")) return "delivering";
	if (left.every(({ notBefore }) => notBefore !== undefined)) return "retrying";
	return delivery.some((action) => action.status === "unknown" || hasArrived(action)) ? "partly_unsent" : "unsent";
}
