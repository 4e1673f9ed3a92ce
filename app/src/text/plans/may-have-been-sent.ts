import type { DeliveryAction } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { fill } from "../../strings/interface.ts";
import { restoredWords as words } from "../../strings/plans/restored-words.ts";
import { codeTitle } from "./code-title.ts";

type Marked = Pick<DeliveryAction, "status" | "proof" | "mayHaveBeenSent">;

/**
 * True if a message that is waiting for the user, or that failed, may also have been sent after the backup that was restored, whatever its
 * code says.
 */
export function mayHaveBeenSent(action: Marked): boolean {
	const isUnsent = action.status === "needs_review" || action.status === "failed";
	return isUnsent && action.mayHaveBeenSent === true && !hasArrived(action);
}

/** What to say about a message that may have been sent after the backup, in whole sentences; empty for any other message. */
export function mayHaveBeenSentLines(action: Marked): readonly string[] {
	return mayHaveBeenSent(action) ? [`${words.title}.`, words.say, words.fix] : [];
}

/** The title of a message's code and, in a few words, whether it may have been sent already. Undefined if the message has no code. */
export function shortReason(action: DeliveryAction): string | undefined {
	const reason = codeTitle(action);
	return reason === undefined || !mayHaveBeenSent(action) ? reason : fill(words.inShort, { reason });
}
