import type { AnswerSegments, Grounding, Snapshot } from "@xworkmate/contracts";
import { rangesWithin, type TextRange } from "../text/marked-text.ts";

/** What an answer is worth, as its run's update or its snapshot says it. */
export interface CheckedAnswer {
	readonly grounding: Grounding;
	/** Its parts, if the bridge put it together. */
	readonly segments?: AnswerSegments | undefined;
}

/** From the snapshot, or from the update that comes before it. */
export function checkedAnswer(
	snapshot: Pick<Snapshot, "answer" | "grounding"> | undefined,
	seen: CheckedAnswer | undefined,
): CheckedAnswer | undefined {
	if (snapshot?.grounding === undefined) return seen;
	return { grounding: snapshot.grounding, segments: snapshot.answer?.segments };
}

/** The sentences to mark. What our own words replaced is not shown, so nothing of it can be marked. */
export function claimsIn({ grounding: { state, problems } }: CheckedAnswer): readonly TextRange[] {
	return state === "unverified" ? problems.filter(({ start, end }) => start < end) : [];
}

/** A part of an answer with the sentences to mark in it. */
export interface AnswerPart {
	readonly key: string;
	readonly text: string;
	readonly marks: readonly TextRange[];
}

/** The marks of texts that are the answer when they are joined. */
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

/** The segments, if they are what the text consists of; words that do not match it prove nothing about it. */
export function segmentsOf(text: string, checked: CheckedAnswer | undefined): AnswerSegments | undefined {
	const { segments } = checked ?? {};
	if (segments === undefined || !segments.some((segment) => "receiptId" in segment)) return undefined;
	const joined = segments.map((segment) => ("receiptId" in segment ? segment.words : segment.text)).join("");
	return joined.trim() === text.trim() ? segments : undefined;
}
