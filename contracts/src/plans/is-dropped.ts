import type { DeliveryAction } from "./delivery.ts";
import { hasArrived } from "./has-arrived.ts";

/**
 * Whether a message was not sent because it was discarded, or cancelled with its work. Such a message did not fail, so it is sent only if
 * the user names it.
 */
export function isDropped(action: Pick<DeliveryAction, "status" | "proof" | "code">): boolean {
	return (action.code === "DISCARDED" || action.code === "CANCELLED") && !hasArrived(action);
}

/**
 * Whether a dropped message may also have been sent after the backup that was restored. The decision to drop it cleared `mayHaveBeenSent`,
 * but does not show that it wasn't sent.
 */
export function isDroppedInDoubt(action: Pick<DeliveryAction, "status" | "proof" | "code" | "heldFor">): boolean {
	return isDropped(action) && action.heldFor?.includes("STORE_RESTORED") === true;
}
