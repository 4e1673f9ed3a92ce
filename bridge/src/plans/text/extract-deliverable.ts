import { CLOSING_TAG, type GateReason, hasTag, OPENING_TAG, type TagPlace, tagPlaces } from "@xworkmate/contracts";

/**
 * The two parts of an answer. `problem`: why the answer contains no message; `deliverable` is then null, and `work` is the whole answer or,
 * if the tags are empty, the part before them.
 */
export interface Extraction {
	/** The part that is shown but never sent. */
	readonly work: string;
	readonly deliverable: string | null;
	readonly problem?: GateReason;
}

/**
 * Splits an answer into work and message. The message is the trimmed text between the only opening tag, which has to begin a line outside
 * of code fences, and the only closing tag, after which nothing follows. Any other answer has a problem; nothing is guessed. Takes linear
 * time.
 */
export function extractDeliverable(answer: string): Extraction {
	const places = [...tagPlaces(answer)];
	const first = places[0];
	const none = (problem: GateReason): Extraction => ({ work: answer, deliverable: null, problem });
	if (first === undefined) return none(hasPair(answer) ? "malformed" : "missing");
	if (first.kind !== "opening") return none("malformed");
	const from = first.at + OPENING_TAG.length;
	const to = answer.indexOf(CLOSING_TAG, from);
	if (to === -1) return none(hasTag(answer.slice(from)) ? "malformed" : "unclosed");
	const inside = answer.slice(from, to);
	if (inside.includes(OPENING_TAG)) return none("nested");
	if (hasTag(inside)) return none("malformed");
	const after = answer.slice(to + CLOSING_TAG.length);
	if (after.trim() !== "") return none(problemAfter(after, places, to));
	const text = asSent(inside);
	const work = answer.slice(0, first.at).trim();
	return text === "" ? { ...none("empty"), work } : { work, deliverable: text };
}

/**
 * True if an opening tag is followed by a closing one. Called if no tag is in a place where tags count, because each follows other text, is
 * in a code block, or is indented too far.
 */
function hasPair(answer: string): boolean {
	const opening = answer.indexOf(OPENING_TAG);
	return opening !== -1 && answer.includes(CLOSING_TAG, opening);
}

/** A message as it is sent: trimmed, with lines ending in `\n`, and without halves of surrogate pairs, which no channel could send. */
export function asSent(text: string): string {
	return text
		.replaceAll(/\r\n|\r/g, "\n")
		.trim()
		.toWellFormed();
}

function problemAfter(after: string, places: readonly TagPlace[], to: number): GateReason {
	if (places.some(({ kind, at }) => kind === "opening" && at > to)) return "several";
	if (!after.includes(CLOSING_TAG)) return "trailing";
	return after.includes(OPENING_TAG) ? "several" : "malformed";
}
