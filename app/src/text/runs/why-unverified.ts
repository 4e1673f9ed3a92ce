import type { Grounding } from "@xworkmate/contracts";
import { limits } from "@xworkmate/contracts/limits";
import { groundingWords } from "../../strings/calls/call-words.ts";

type Problem = Grounding["problems"][number];

/** A sentence of an answer that could not be verified, with its own reason. */
export interface UnverifiedSentence {
	/** Empty if the problem does not concern a particular part of the answer, or if the text of that part is not known. */
	readonly said: string;
	readonly why: string;
	/** True if nothing contradicts the sentence: it is only that no receipt of a success backs it, or that its file was not found here. */
	readonly mayBeTrue: boolean;
}

export function unverifiedSentences(problems: readonly Problem[], text: string): readonly UnverifiedSentence[] {
	return problems.map((problem) => {
		const why = whyUnverified(problem);
		return {
			said: problem.said ?? text.slice(problem.start, problem.end).trim(),
			why,
			mayBeTrue: why === groundingWords.noSuccess || why === groundingWords.noAction || why === groundingWords.notHere,
		};
	});
}

/** True if the check of the answer may have stopped before its end, because it had found as many problems as it names. */
export function mayBeMore(problems: readonly unknown[]): boolean {
	return problems.length >= limits.answerProblems;
}

/** A line in place of the sentences that are not shown: "and 3 more". `problems`: all that the check named. */
export function andMore(unshown: number, problems: readonly unknown[]): string {
	return `and ${mayBeMore(problems) ? "at least " : ""}${unshown} more`;
}

/** The first sentence, if all of them have the same reason; otherwise undefined. */
export function commonReason(sentences: readonly UnverifiedSentence[]): UnverifiedSentence | undefined {
	const [first] = sentences;
	return sentences.every(({ why }) => why === first?.why) ? first : undefined;
}

function whyUnverified({ reason, code, lookedIn }: Problem): string {
	const { denied, found, noFile, notHere, stillThere, notAllowed, noSuccess, noAction } = groundingWords;
	if (lookedIn !== undefined) return notHere;
	if (reason !== undefined) return { denied, found, no_file: noFile, still_there: stillThere, not_allowed: notAllowed }[reason];
	return code === "CLAIM_WITHOUT_SUCCESS" ? noSuccess : noAction;
}
