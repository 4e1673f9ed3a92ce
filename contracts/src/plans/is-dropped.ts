import type { DeliveryAction } from "./delivery.ts";
import { hasArrived } from "./has-arrived.ts";

/**
 * Whether a message was not sent because it was discarded, or cancelled with its work. Such a message did not fail, so it is sent only if
 * the user names it.
 */
export function isDropped(action: Pick<DeliveryAction, "status" | "proof" | "code">): boolean {
	return (action.code === "DISCARDED" || action.code === "CANCELLED") && !hasArrived(action);
}
