import type { Grounding, Output } from "@xworkmate/contracts";
import { groundingWords } from "../../../strings/calls/call-words.ts";
import { oneLine } from "../../../text/printable.ts";
import { isUnanswered } from "../../../text/runs/is-unanswered.ts";
import { andMore, commonReason, unverifiedSentences } from "../../../text/runs/why-unverified.ts";

/** The maximum number of sentences printed; the page shows more. */
const SHOWN = 5;
const SENTENCE = 300;

/**
 * How far receipts back an answer, in words. A terminal cannot mark sentences, so each sentence in question is quoted. `hasActivity`: true
 * if the run's activity is printed below and is therefore left out here.
 */
export function groundingLines(grounding: Grounding | undefined, answer: Output | undefined, hasActivity: boolean): readonly string[] {
	if (grounding === undefined) return [];
	const { state, problems } = grounding;
	if (state === "no_action") return hasActivity ? [] : ["0 actions completed."];
	if (state === "replaced")
		return [`${groundingWords.oursLead} ${isUnanswered(grounding) ? groundingWords.oursAlone : groundingWords.ours}`];
	if (state !== "unverified") return [];
	const all = unverifiedSentences(problems, answer?.text ?? "");
	const common = commonReason(all);
	const sentences = all.filter(({ said }) => said !== "");
	return [
		`${groundingWords.lead} what the answer claims:${common === undefined ? "" : ` ${common.why}`}`,
		...sentences.slice(0, SHOWN).map(({ said, why }) => {
			const sentence = JSON.stringify(oneLine(said, SENTENCE));
			return common === undefined ? `  ${sentence}: ${why}` : `  ${sentence}`;
		}),
		...(sentences.length > SHOWN ? [`  ${andMore(sentences.length - SHOWN, problems)}`] : []),
	];
}
