import type { Approval } from "@xworkmate/contracts";
import { askWords } from "../../strings/calls/ask-words.ts";
import { denyWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { grantEnd } from "./grant-end.ts";

/**
 * Why an answer to a request was not accepted, and, if the earlier answer gave a permission that no longer holds, that it doesn't. Of a call
 * whose tool had changed, only that nothing was run. `answer` is the earlier answer, if there was one.
 */
export function lateAnswer(record: Approval, answer: string, now: number): string {
	const { state, reason, revokedAt } = record;
	if (state === "expired") return askWords.lateExpired;
	if (state === "withdrawn") return askWords.lateWithdrawn;
	if (reason === "tool_changed") return `${denyWords.tool_changed}.`;
	const end = grantEnd(record);
	const late = fill(askWords.late, { answer });
	if (end === undefined) return late;
	if (revokedAt !== undefined) return `${late} ${askWords.lateRevoked}`;
	return end <= now ? `${late} ${askWords.lateEnded}` : late;
}
