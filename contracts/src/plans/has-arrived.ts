import type { DeliveryAction } from "./delivery.ts";

/**
 * Whether a message reached its recipient, as far as is known. A message that was recorded as not sent stays recorded as not sent; if its
 * channel reports later that it was delivered after all, only `proof` changes.
 */
export function hasArrived({ status, proof }: Pick<DeliveryAction, "status" | "proof">): boolean {
	return status === "completed" || proof === "delivered" || proof === "read";
}
