/** The tags around the message in an agent's answer for a plan. */
export const OPENING_TAG = "<deliverable>";
export const CLOSING_TAG = "</deliverable>";

/** A tag of this name, in any case, with or without spaces before the name. */
const ANY_TAG = /<\s{0,8}\/?\s{0,8}deliverable(?=[\s/>])/i;
const LEAST_FENCE = 3;
const MOST_INDENT = 3;

/** Where in a text a tag starts a line, outside of code fences. In UTF-16 units. */
export interface TagPlace {
	readonly kind: "opening" | "closing" | "misspelt";
	/** The position of the `<`. */
	readonly at: number;
}

interface Fence {
	readonly mark: string;
	readonly length: number;
}

/** The tags that start a line outside of code fences, in order. A tag in mid-sentence is prose. Takes linear time. */
export function* tagPlaces(text: string): Generator<TagPlace> {
	let fence: Fence | undefined;
	for (const { at, end } of markedLines(text)) {
		if (text[at] !== "<") {
			fence = fenceAfter(fence, text, at, end);
			continue;
		}
		if (fence !== undefined) continue;
		const kind = kindAt(text.slice(at, Math.min(end, at + 160)));
		if (kind !== undefined) yield { kind, at };
	}
}

/** True if the text has a tag of this name anywhere, in any case, with or without spaces before the name. */
export function hasTag(text: string): boolean {
	return text.search(ANY_TAG) !== -1;
}

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

function kindAt(start: string): TagPlace["kind"] | undefined {
	if (start.startsWith(OPENING_TAG)) return "opening";
	if (start.startsWith(CLOSING_TAG)) return "closing";
	return start.search(ANY_TAG) === 0 ? "misspelt" : undefined;
}

/** The fence that is open after a line. As in CommonMark, a fence is three or more of the same mark. */
function fenceAfter(open: Fence | undefined, text: string, at: number, end: number): Fence | undefined {
	const mark = text.charAt(at);
	let after = at;
	while (after < end && text[after] === mark) after++;
	const length = after - at;
	if (length < LEAST_FENCE) return open;
	const rest = text.slice(after, end);
	if (open !== undefined) return mark === open.mark && length >= open.length && rest.trim() === "" ? undefined : open;
	// A backtick later in the line makes it inline code, not a fence.
	return mark === "`" && rest.includes("`") ? undefined : { mark, length };
}

/**
 * The lines that begin, after at most three spaces, with a character that a tag or a fence begins with. `at` is its position. Most lines do
 * not qualify.
 */
function* markedLines(text: string): Generator<{ readonly at: number; readonly end: number }> {
	let start = 0;
	let feed = -1;
	let carriage = -1;
	while (start <= text.length) {
		// Each line ending is searched for again only once its last position has been passed, so all searches together read the text once.
		if (feed < start) feed = endAt(text, "\n", start);
		if (carriage < start) carriage = endAt(text, "\r", start);
		const end = Math.min(feed, carriage);
		let at = start;
		while (at < start + MOST_INDENT && text[at] === " ") at++;
		if (at < end && (text[at] === "<" || text[at] === "`" || text[at] === "~")) yield { at, end };
		start = end + 1;
	}
}

function endAt(text: string, ending: string, from: number): number {
	const at = text.indexOf(ending, from);
	return at === -1 ? text.length : at;
}
