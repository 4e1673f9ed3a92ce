import { type Activity, type GroundingProblem, type GroundingProblemCode, renderActivity } from "@xworkmate/contracts";
import type { AnswerCheck } from "./check-answer.ts";

const whys: Readonly<Record<GroundingProblemCode, string>> = {
	CLAIM_WITHOUT_ACTION: "It says that something was done, but no action of this turn succeeded.",
	CLAIM_WITHOUT_SUCCESS: "It says that something was done, but not every call of this turn succeeded.",
	FOREIGN_RECEIPT: "It cites a receipt that is not in this turn's activity.",
	RECEIPT_WITHOUT_SUCCESS: "It cites the receipt of a call that did not succeed.",
	NO_ANSWER: "It is empty.",
};

const QUOTED = 200;

/** What this run did, as the model and the user read it. */
export function activityLines(activity: Activity | undefined): readonly string[] {
	return activity === undefined ? ["0 actions completed."] : renderActivity(activity);
}

/** Why an answer was not taken, for the model, which may answer once more. */
export function refusalWords({ text, problems }: Pick<AnswerCheck, "text" | "problems">, activity: Activity | undefined): string {
	return [
		"The answer was not shown to the user:",
		...problems.slice(0, 10).map((problem) => `- ${whyOf(problem, text)}`),
		"Answer again by the tool answer. Say what was done only by segments with a receiptId of a call that succeeded; say of everything else plainly that it was not done.",
		"This turn's activity:",
		...activityLines(activity),
	].join("\n");
}

function whyOf({ code, start, end }: GroundingProblem, text: string): string {
	const quoted = text.slice(start, Math.min(end, start + QUOTED)).trim();
	return quoted === "" ? whys[code] : `${whys[code]} ${JSON.stringify(quoted)}`;
}

/** The bridge's own answer in the place of one that could not be verified. */
export function replacementWords(problems: readonly GroundingProblem[], activity: Activity | undefined): string {
	const isMissing = problems.every(({ code }) => code === "NO_ANSWER");
	const why = isMissing
		? "The assistant gave no answer."
		: "Could not verify what the assistant wanted to say about its actions, so it is not shown here.";
	return [`${why} This is what the record shows:`, "", ...activityLines(activity)].join("\n");
}
