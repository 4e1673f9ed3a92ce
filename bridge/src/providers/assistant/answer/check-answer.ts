import {
	type Activity,
	type ActivityItem,
	type AnswerSegment,
	type AnswerSegments,
	checkClaims,
	type GroundingProblem,
	type GroundingState,
	visible,
} from "@xworkmate/contracts";
import type { GivenSegments } from "../turn/model-tools.ts";

/** An assembled answer and its problems. */
export interface AnswerCheck {
	readonly segments: AnswerSegments;
	/** The segments joined. */
	readonly text: string;
	readonly problems: readonly GroundingProblem[];
	/** The answer's state if it has no problems. */
	readonly state: Extract<GroundingState, "grounded" | "no_action">;
	/** How many times the answer cites a receipt of a call that succeeded. */
	readonly references: number;
}

/**
 * Assembles an answer and checks it. Each cited receipt has to belong to this run and to a call that the bridge executed and that
 * succeeded; the bridge puts the call into words. No text may claim an effect that receipts do not show. `delivered`: how many writes
 * of the run succeeded. Pure.
 */
export function checkAnswer(given: GivenSegments, activity: Activity | undefined, delivered: number): AnswerCheck {
	const segments: AnswerSegment[] = [];
	const problems: GroundingProblem[] = [];
	/** The text to check. The bridge's own words are known to be true, so spaces replace them. */
	let claimed = "";
	let references = 0;
	const add = (segment: AnswerSegment, isOurs: boolean): void => {
		segments.push(segment);
		const words = "text" in segment ? segment.text : segment.words;
		claimed += isOurs ? " ".repeat(words.length) : words;
	};
	for (const part of given) {
		const item = "receiptId" in part ? activity?.items.find(({ receiptRef }) => receiptRef === part.receiptId) : undefined;
		if ("text" in part) {
			add({ text: spaced(claimed, segments, part.text.toWellFormed()) }, false);
			continue;
		}
		const code = item === undefined ? "FOREIGN_RECEIPT" : isDone(item) ? undefined : "RECEIPT_WITHOUT_SUCCESS";
		if (item === undefined || code !== undefined) {
			problems.push({ code: code ?? "FOREIGN_RECEIPT", start: claimed.length, end: claimed.length });
			continue;
		}
		references += 1;
		if (/\S$/.test(textOf(segments))) add({ text: " " }, false);
		add({ receiptId: item.receiptRef, words: wordsOf(item) }, true);
	}
	problems.push(...foreignReceiptsIn(claimed, activity));
	problems.push(...checkClaims(claimed, activity, delivered));
	const text = textOf(segments);
	if (text.trim() === "" && problems.length === 0) problems.push({ code: "NO_ANSWER", start: 0, end: 0 });
	const isAction = references > 0 || (activity?.completed ?? 0) > 0;
	return { segments, text, problems, state: isAction ? "grounded" : "no_action", references };
}

/** Matches receipt ids as the bridge mints them. */
const RECEIPT_IN_TEXT = /\brun-[a-z0-9]{20,}\.[1-9]\d*\b/gi;

/** Receipts that the text names although no call in this run's activity has them. */
function foreignReceiptsIn(text: string, activity: Activity | undefined): readonly GroundingProblem[] {
	const own = new Set<string>(activity?.items.map(({ receiptRef }) => receiptRef));
	return [...text.matchAll(RECEIPT_IN_TEXT)].flatMap(({ 0: id, index }): readonly GroundingProblem[] =>
		own.has(id) ? [] : [{ code: "FOREIGN_RECEIPT", start: index, end: index + id.length }],
	);
}

function isDone({ status, origin }: ActivityItem): boolean {
	return status === "succeeded" && origin === "executed";
}

/** An action in the tool's own words, on one line, with hidden characters made visible. */
function wordsOf({ words, toolId }: ActivityItem): string {
	return words === "" ? toolId : visible(words);
}

/** The text, with a space in front if it directly follows an action and begins with a letter or digit. */
function spaced(before: string, segments: readonly AnswerSegment[], text: string): string {
	const last = segments.at(-1);
	const isBehindAction = before !== "" && last !== undefined && "words" in last;
	return isBehindAction && /^[\p{L}\p{N}]/u.test(text) ? ` ${text}` : text;
}

function textOf(segments: AnswerSegments): string {
	return segments.map((segment) => ("text" in segment ? segment.text : segment.words)).join("");
}
