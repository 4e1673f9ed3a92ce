import type { DeliveryAction } from "./delivery.ts";
import { hasArrived } from "./has-arrived.ts";

/**
 * Whether a message was not sent because it was discarded, or cancelled with its work. It didn't fail, so it is only sent if the user names
 * it.
 */
export function isDropped(action: Pick<DeliveryAction, "status" | "proof" | "code">): boolean {
	return (action.code === "DISCARDED" || action.code === "CANCELLED") && !hasArrived(action);
}
