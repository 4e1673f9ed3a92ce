import type { DeliveryAction } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";

/**
 * Whether a message was sent, as far as that is known: it was, it may have been, it would be once its turn comes or the user decides so, or
 * it was not.
 */
export function sentState(action: DeliveryAction): "sent" | "may" | "would" | "not" {
	const { status, stage } = action;
	if (hasArrived(action)) return "sent";
	if (status === "failed") return "not";
	// A channel that has accepted a message may still report that it was not sent.
	return stage === "handing_over" || stage === "accepted" ? "may" : "would";
}
