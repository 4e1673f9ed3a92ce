import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import { callWords } from "../../strings/calls/call-words.ts";
import { APP_GONE, AppRefusal } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { noteRefused, noteSent, wasSent } from "./sent-answers.ts";
import { isUnheard } from "./unheard-answer.ts";

/**
 * Sends the user's answer to a request. Unlike a message or a stop, an answer that did not arrive is not sent later, because the request
 * may have changed by then.
 * @throws AppRefusal
 */
export async function decide({ approvalId }: Pick<Approval, "approvalId">, decision: ApprovalDecision) {
	const isRepeat = wasSent({ approvalId });
	noteSent({ approvalId });
	try {
		const decided = await callApp("decideApproval", { approvalId, decision });
		// The request was already over. An earlier answer may still have been lost.
		if (!decided.applied && !isRepeat) noteRefused({ approvalId });
		return decided;
	} catch (error) {
		if (!isUnheard(error)) noteRefused({ approvalId });
		if (!(error instanceof AppRefusal) || error.code !== APP_GONE) throw error;
		throw new AppRefusal(APP_GONE, callWords.answerLost, callWords.answerLostFix);
	}
}
