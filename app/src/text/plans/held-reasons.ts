import type { DeliveryAction, DeliveryCode } from "@xworkmate/contracts";
import { isAlsoHeld } from "@xworkmate/contracts/is-also-held";
import { fill } from "../../strings/interface.ts";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { codeTitle } from "./code-title.ts";

/**
 * What a message was held for before each decision about it, and, while it is held for its text or its work, what it is held for besides.
 * The words for a decision say "was held", because it may be about an earlier text. `isEdited`: the user is writing another text.
 */
export function heldReasons(action: DeliveryAction, isEdited = false): readonly string[] {
	const { heldFor = [], status, code: now } = action;
	const before = heldFor.filter((code) => status !== "needs_review" || code !== now);
	return before.flatMap((code) => inWords(action, code, isEdited));
}

/** Only what a message is held for besides the reason that its code names. */
export function alsoHeldReasons(action: DeliveryAction, isEdited = false): readonly string[] {
	const { heldFor = [] } = action;
	return heldFor.filter((code) => isAlsoHeld(action, code)).flatMap((code) => inWords(action, code, isEdited));
}

function inWords(action: DeliveryAction, code: DeliveryCode, isEdited: boolean): readonly string[] {
	const reason = codeTitle({ ...action, code });
	if (reason === undefined) return [];
	if (!isAlsoHeld(action, code)) return [fill(words.wasHeld, { reason })];
	// Another text may not make the claim. The work stays what it is.
	const said = fill(isEdited && code === "UNVERIFIED_CLAIM" ? words.beforeEdit : words.alsoHeld, { reason });
	return [code === "WORK_UNVERIFIED" && action.doubt !== undefined ? `${said}. ${action.doubt}` : said];
}
