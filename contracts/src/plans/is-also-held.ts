import type { DeliveryAction, DeliveryCode } from "./delivery.ts";

/**
 * Whether a reason in `heldFor` still holds although the message's code names another one: while a message is held for its text or its work,
 * these reasons are about the same text. What the checks find in a text is listed anew for each text, so it is left out.
 */
export function isAlsoHeld(
	{ status, code: now }: Pick<DeliveryAction, "status" | "code">,
	code: DeliveryCode,
): code is "UNVERIFIED_CLAIM" | "WORK_UNVERIFIED" {
	const isHeldForText = status === "needs_review" && (now === "WORK_UNVERIFIED" || now?.startsWith("LINT_") === true);
	return isHeldForText && code !== now && (code === "UNVERIFIED_CLAIM" || code === "WORK_UNVERIFIED");
}
