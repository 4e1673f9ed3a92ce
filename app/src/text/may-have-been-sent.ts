import type { DeliveryAction } from "@xworkmate/contracts";
import { fill } from "../strings/interface.ts";
import { restoredWords as words } from "../strings/restored-words.ts";
import { codeTitle } from "./code-title.ts";

/** True if a message that waits for the user may have been sent after the backup that was restored, besides the reason in its code. */
export function mayHaveBeenSent({ status, mayHaveBeenSent: isMarked }: Pick<DeliveryAction, "status" | "mayHaveBeenSent">): boolean {
	return status === "needs_review" && isMarked === true;
}

/** What to say about a message that may have been sent after the backup, in whole sentences; empty for any other message. */
export function mayHaveBeenSentLines(action: Pick<DeliveryAction, "status" | "mayHaveBeenSent">): readonly string[] {
	return mayHaveBeenSent(action) ? [`${words.title}.`, words.say, words.fix] : [];
}

/** The title of a message's code and, in a few words, whether it may have been sent already. Undefined if the message has no code. */
export function shortReason(action: DeliveryAction): string | undefined {
	const reason = codeTitle(action);
	return reason === undefined || !mayHaveBeenSent(action) ? reason : fill(words.inShort, { reason });
}
