import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { isDropped } from "@xworkmate/contracts/is-dropped";
import { fill } from "../../strings/interface.ts";
import { reviewWords as words } from "../../strings/review-words.ts";
import { codeTitle } from "../../text/code-title.ts";

/** True if the user wrote the text of a message in place of the one that was checked. */
export function isOwnText({ content }: DeliveryAction, { deliverable }: Occurrence): boolean {
	return content === undefined && deliverable?.source === "person";
}

/** Why a message was held before the decision about it. `isEdited`: its text has been replaced since then. */
export function heldBefore({ heldFor = [], ...action }: DeliveryAction, isEdited: boolean): readonly string[] {
	const said = isEdited ? words.beforeEdit : isDropped(action) ? words.wasHeld : words.approved;
	return heldFor.flatMap((code) => {
		const reason = codeTitle({ ...action, code });
		return reason === undefined ? [] : [fill(said, { reason })];
	});
}
