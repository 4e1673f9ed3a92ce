import { CLOSING_TAG, OPENING_TAG, tagPlaces } from "@xworkmate/contracts/deliverable-tags";

/** A part of an answer to a plan's work. `from` and `to`: UTF-16 units of the answer, without tags and the space around them. */
export interface DeliverablePiece {
	/** `message`: what the agent wrote to be sent; the rest is its work. */
	readonly kind: "work" | "message";
	readonly from: number;
	readonly to: number;
}

/**
 * An answer as its work and its messages, as the tags in it say; more than one message is one too many, and is shown as it is. A message
 * that is still being written goes to the end. Pure.
 */
export function deliverablePieces(text: string): readonly DeliverablePiece[] {
	const pieces: DeliverablePiece[] = [];
	const add = (kind: DeliverablePiece["kind"], start: number, end: number) => {
		const part = text.slice(start, end);
		const from = start + part.length - part.trimStart().length;
		const to = start + part.trimEnd().length;
		if (from < to) pieces.push({ kind, from, to });
	};
	let at = 0;
	for (const { kind, at: tag } of tagPlaces(text)) {
		if (tag < at || kind === "misspelt") continue;
		add("work", at, tag);
		if (kind === "closing") {
			at = tag + CLOSING_TAG.length;
			continue;
		}
		const from = tag + OPENING_TAG.length;
		const closing = text.indexOf(CLOSING_TAG, from);
		add("message", from, closing === -1 ? text.length : closing);
		at = closing === -1 ? text.length : closing + CLOSING_TAG.length;
	}
	add("work", at, text.length);
	return pieces;
}
