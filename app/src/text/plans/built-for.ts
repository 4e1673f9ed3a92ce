import type { AddressedTo, DeliveryAction } from "@xworkmate/contracts";

/**
 * The recipient that a message was sent to or is about to be sent to, which is the recipient that its bytes were built for. A later change
 * to the contact does not affect it. Undefined before the message is built, and while it is held, because it will be built again.
 */
export function builtFor({ status, addressedTo }: Partial<Pick<DeliveryAction, "status" | "addressedTo">>): AddressedTo | undefined {
	return status === "needs_review" ? undefined : addressedTo;
}
