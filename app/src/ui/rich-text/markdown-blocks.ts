/** A longer block is shown as plain text, because the page parses the last block again with every piece that streams in. */
export const BLOCK_CHARACTERS = 16_000;
/** Brackets, stars and what else may hold more of the same: the time that reading takes grows with their square. */
export const MARKS = 1_000;
/** Quotes and lists within each other: reading and drawing them needs a stack as deep. */
const DEPTH = 20;

/** The indent, the mark and the text after it; the end of a code block has no text there. */
export const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)/s;
/** A block that could belong to the one before it, as the next entry of a list does, stays with it. */
const CONTINUES = /^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>|\|)/;
export const DEFINES = /^ {0,3}\[[^\]\r\n\u2028\u2029]+\]:/m;

/** Cuts text at empty lines outside of fences, and around fences. Short text with link definitions is one block: they count everywhere. */
export function splitBlocks(given: string): readonly string[] {
	// A carriage return alone ends a line of markdown too, and so a block of code.
	const text = given.replace(/\r\n?/g, "\n");
	// Text that is too long to be read as one is cut all the same: its links stay as they were written.
	if (text.length <= BLOCK_CHARACTERS && DEFINES.test(text)) return [text];
	const blocks: string[] = [];
	let lines: string[] = [];
	let fence: { readonly mark: string; readonly isTop: boolean } | undefined;
	/** What precedes the line: an empty line, or the end of a code block outside a list. */
	let before: "line" | "gap" | "code" = "line";
	const cut = () => {
		if (lines.length > 0) blocks.push(lines.join("\n"));
		lines = [];
	};
	for (const line of text.split("\n")) {
		const [, lead, mark, rest = ""] = FENCE.exec(line) ?? [];
		const begins = fence === undefined && mark !== undefined ? { mark, isTop: lead === "" } : undefined;
		const ends = fence !== undefined && mark?.startsWith(fence.mark) === true && rest.trim() === "" ? fence : undefined;
		const isOutside = fence === undefined && line !== "";
		if (isOutside && (before === "code" || begins?.isTop === true || (before === "gap" && !CONTINUES.test(line)))) cut();
		lines.push(line);
		if (ends?.isTop === true) before = "code";
		else if (line.trim() !== "") before = "line";
		else if (before === "line") before = "gap";
		fence = ends === undefined ? (begins ?? fence) : undefined;
	}
	cut();
	return blocks;
}

/** True when reading a block as markdown neither takes long nor goes deep. */
export function isReadable(block: string): boolean {
	// A block that begins with code ends with it, and code is read in one go, however long it is.
	if (beginsWithCode(block)) return true;
	if (block.length > BLOCK_CHARACTERS) return false;
	return countMarks(block) <= MARKS && block.split("\n").every((line) => depthOf(line) <= DEPTH);
}

/** How many quotes and lists a line begins, by its marks and by how far it is moved in. */
function depthOf(line: string): number {
	const [begin = ""] = /^(?:\s|>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))*/.exec(line) ?? [];
	const marks = begin.match(/[>*+.)-]/g)?.length ?? 0;
	return marks + Math.floor((begin.length - marks) / 4);
}

export function beginsWithCode(block: string): boolean {
	const end = block.indexOf("\n");
	return FENCE.exec(end === -1 ? block : block.slice(0, end))?.[1] === "";
}

/** How many of the signs that reading takes long over. */
export function countMarks(text: string): number {
	return text.match(/[[\]*~]|(?<!\w)_|_(?!\w)/g)?.length ?? 0;
}
