import { CLOSING_TAG, OPENING_TAG, tagPlaces } from "@xworkmate/contracts/deliverable-tags";

/**
 * A part of an answer to a plan's work. `from` and `to` are UTF-16 positions in the answer; tags and the space around them are excluded.
 */
export interface DeliverablePiece {
	/** `message`: what the agent wrote to be sent; `work`: everything else. */
	readonly kind: "work" | "message";
	readonly from: number;
	readonly to: number;
}

/**
 * Splits an answer by its tags into the agent's work and its message. If there are several messages, which is not allowed, each is a
 * separate piece. A message that is still being written extends to the end. Pure.
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
