import type { Unpermitted } from "@xworkmate/contracts";
import { activityWords } from "../../strings/calls/call-words.ts";
import type { TurnStatus } from "../../threads/domain/thread.ts";
import { capitalized } from "../capital.ts";

/** What a run did without permission, for use after how it ended: "the agent acted without your answer, by its own report". */
export function unpermittedClause(unpermitted: Unpermitted): string {
	return `the agent ${activityWords.unpermittedFact[unpermitted]}`;
}

/** How a run ended, as a list says it, with what it did without permission: "Cancelled · the agent acted without your answer, by its own report". */
export function withUnpermitted(state: string, unpermitted: Unpermitted | undefined): string {
	return unpermitted === undefined ? state : `${state} · ${unpermittedClause(unpermitted)}`;
}

/** The clause as a sentence. */
export function unpermittedSentence(unpermitted: Unpermitted): string {
	return `${capitalized(unpermittedClause(unpermitted))}.`;
}

/** The sentence about a run that ended in this way; for a success, it says that too. */
export function unpermittedReason(status: TurnStatus, unpermitted: Unpermitted): string {
	return status === "completed" ? activityWords.unpermitted[unpermitted] : unpermittedSentence(unpermitted);
}
