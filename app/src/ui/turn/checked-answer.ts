import type { AnswerSegments, Grounding, Snapshot } from "@xworkmate/contracts";
import { rangesWithin, type TextRange } from "../text/marked-text.ts";

/** The check of an answer, from its run's update or its snapshot. */
export interface CheckedAnswer {
	readonly grounding: Grounding;
	/** The answer's parts, if the bridge composed it. */
	readonly segments?: AnswerSegments | undefined;
}

/** Takes the check from the snapshot or, before there is one, from the run's update. */
export function checkedAnswer(
	snapshot: Pick<Snapshot, "answer" | "grounding"> | undefined,
	seen: CheckedAnswer | undefined,
): CheckedAnswer | undefined {
	if (snapshot?.grounding === undefined) return seen;
	return { grounding: snapshot.grounding, segments: snapshot.answer?.segments };
}

/** The sentences to mark. An answer that the bridge replaced is not shown, so nothing in it can be marked. */
export function claimsIn({ grounding: { state, problems } }: CheckedAnswer): readonly TextRange[] {
	return state === "unverified" ? problems.filter(({ start, end }) => start < end) : [];
}

/** A part of an answer, with the sentences to mark in it. */
export interface AnswerPart {
	readonly key: string;
	readonly text: string;
	readonly marks: readonly TextRange[];
}

/** The marks for each of the texts that together are the answer. */
export function answerParts(
	texts: readonly { readonly key: string; readonly text: string }[],
	claims: readonly TextRange[],
): readonly AnswerPart[] {
	let from = 0;
	return texts.map(({ key, text }) => {
		const marks = rangesWithin(claims, from, from + text.length);
		from += text.length;
		return { key, text, marks };
	});
}

/** The segments, if at least one of them is backed by a receipt and together they match the text. Otherwise they prove nothing about it. */
export function segmentsOf(text: string, checked: CheckedAnswer | undefined): AnswerSegments | undefined {
	const { segments } = checked ?? {};
	if (segments === undefined || !segments.some((segment) => "receiptId" in segment)) return undefined;
	const joined = segments.map((segment) => ("receiptId" in segment ? segment.words : segment.text)).join("");
	return joined.trim() === text.trim() ? segments : undefined;
}
