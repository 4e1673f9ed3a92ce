import type { DeliveryAction } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { reviewWords as words } from "../../strings/review-words.ts";
import { codeTitle } from "../../text/code-title.ts";

/** Why a message was held before each decision about it. The words say "was held", because a decision may be about an earlier text. */
export function heldBefore({ heldFor = [], ...action }: DeliveryAction): readonly string[] {
	return heldFor.flatMap((code) => {
		const reason = codeTitle({ ...action, code });
		return reason === undefined ? [] : [fill(words.wasHeld, { reason })];
	});
}
