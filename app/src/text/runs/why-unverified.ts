import type { Grounding } from "@xworkmate/contracts";
import { limits } from "@xworkmate/contracts/limits";
import { groundingWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { visibleName } from "../visible-text.ts";

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
		const { said, start, end, reason, lookedIn } = problem;
		const isContradicted = reason !== undefined && lookedIn === undefined;
		return { said: said ?? text.slice(start, end).trim(), why: whyUnverified(problem), mayBeTrue: !isContradicted };
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

function whyUnverified({ reason, code, lookedIn, file }: Problem): string {
	const { denied, found, noFile, notHere, stillThere, notAllowed, noSuccess, noAction } = groundingWords;
	const { noFileOf, notHereOf, stillThereOf, noActionOf } = groundingWords;
	const of = (why: string, whyOf: string) => (file === undefined ? why : fill(whyOf, { file: visibleName(file) }));
	if (lookedIn !== undefined) return of(notHere, notHereOf);
	const [gone, left] = [of(noFile, noFileOf), of(stillThere, stillThereOf)];
	if (reason !== undefined) return { denied, found, no_file: gone, still_there: left, not_allowed: notAllowed }[reason];
	return code === "CLAIM_WITHOUT_SUCCESS" ? noSuccess : of(noAction, noActionOf);
}
