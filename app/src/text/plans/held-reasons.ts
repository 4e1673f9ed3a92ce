import type { DeliveryAction } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { reviewWords as words } from "../../strings/review-words.ts";
import { codeTitle } from "../code-title.ts";

/**
 * What a message was held for before each decision about it, and, while it is held for its text or its work, what it is held for besides.
 * The words for a decision say "was held", because it may be about an earlier text.
 */
export function heldReasons({ heldFor = [], ...action }: DeliveryAction): readonly string[] {
	const held = isHeldForText(action) ? words.alsoHeld : words.wasHeld;
	return heldFor.flatMap((code) => {
		const reason = codeTitle({ ...action, code });
		return reason === undefined ? [] : [fill(held, { reason })];
	});
}

/** True if further reasons may stand beside the code of a held message. */
export function isHeldForText({ status, code }: Pick<DeliveryAction, "status" | "code">): boolean {
	return status === "needs_review" && (code === "WORK_UNVERIFIED" || code?.startsWith("LINT_") === true);
}
