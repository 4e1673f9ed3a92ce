export const OPENING = "<deliverable>";
export const CLOSING = "</deliverable>";

/** A tag of this name in whatever spelling. */
const ANY_TAG = /<\s{0,8}\/?\s{0,8}deliverable(?=[\s/>])/i;
/** A fence of CommonMark: at most three spaces, then three or more of one mark. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s;
const INDENT = / {0,3}/y;

/** A place in a text where a tag begins a line, outside of code fences. UTF-16 units. */
export interface TagPlace {
	readonly kind: "opening" | "closing" | "misspelt";
	/** Of the `<`. */
	readonly at: number;
}

interface Fence {
	readonly mark: string;
	readonly length: number;
}

/** The tags that begin a line outside of code fences, in order. In mid-sentence they are prose. Linear. */
export function* tagPlaces(text: string): Generator<TagPlace> {
	let fence: Fence | undefined;
	for (const { at, line } of linesOf(text)) {
		const next = fenceAfter(fence, line);
		if (next !== fence) {
			fence = next;
			continue;
		}
		if (fence !== undefined) continue;
		INDENT.lastIndex = 0;
		const indent = INDENT.exec(line)?.[0].length ?? 0;
		const kind = kindAt(line.slice(indent, indent + 160));
		if (kind !== undefined) yield { kind, at: at + indent };
	}
}

/** True if the text has a tag of this name anywhere, in whatever spelling. */
export function hasTag(text: string): boolean {
	return text.search(ANY_TAG) !== -1;
}

function kindAt(start: string): TagPlace["kind"] | undefined {
	if (start.startsWith(OPENING)) return "opening";
	if (start.startsWith(CLOSING)) return "closing";
	return start.search(ANY_TAG) === 0 ? "misspelt" : undefined;
}

/** The fence that is open after a line. */
function fenceAfter(open: Fence | undefined, line: string): Fence | undefined {
	const [, marks = "", rest = ""] = FENCE.exec(line) ?? [];
	const [mark] = marks;
	if (mark === undefined) return open;
	if (open !== undefined) return mark === open.mark && marks.length >= open.length && rest.trim() === "" ? undefined : open;
	// An info string with a backtick makes it inline code.
	return mark === "`" && rest.includes("`") ? undefined : { mark, length: marks.length };
}

function* linesOf(text: string): Generator<{ readonly at: number; readonly line: string }> {
	const ends = /\r\n|[\r\n]/g;
	let at = 0;
	for (const end of text.matchAll(ends)) {
		yield { at, line: text.slice(at, end.index) };
		at = end.index + end[0].length;
	}
	yield { at, line: text.slice(at) };
}
