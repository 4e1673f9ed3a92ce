import type { Approval } from "@xworkmate/contracts";
import { askWords } from "../../strings/calls/ask-words.ts";
import { fill } from "../../strings/interface.ts";

/** Why an answer to a request was not accepted. `answer` is the earlier answer, if there was one. */
export function lateAnswer({ state }: Pick<Approval, "state">, answer: string): string {
	if (state === "expired") return askWords.lateExpired;
	return state === "withdrawn" ? askWords.lateWithdrawn : fill(askWords.late, { answer });
}
