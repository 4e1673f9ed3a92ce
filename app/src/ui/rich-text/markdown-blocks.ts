/** A longer block other than code is shown as plain text, because the page parses the last block again with every chunk that streams in. */
export const BLOCK_CHARACTERS = 16_000;
/**
 * The maximum number of brackets, asterisks and other markup characters in a block. It is limited because parsing time grows with the
 * square of their number.
 */
export const MARKS = 1_000;
/** The deepest nesting of quotes and lists, because parsing and rendering need a stack of that depth. */
const DEPTH = 20;
/** The maximum number of quotes and lists that the lines of a block may open in total. */
const OPENED = 2_000;
/** The maximum number of cells that a block may turn into: each row of a table is filled up to the width of the widest row. */
const CELLS = 10_000;

/** The indentation, the fence and the text after it. The end of a code block has no such text. */
export const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)/s;
/** A block that may continue the one before it, such as the next entry of a list, is not split off. */
const CONTINUES = /^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>|\|)/;
export const DEFINES = /^ {0,3}\[[^\]\r\n\u2028\u2029]+\]:/m;

/**
 * Splits text at empty lines outside code, and around code. Short text with link definitions stays one block, because the definitions apply
 * to all of it; only code at its beginning is split off, because a block that begins with code contains nothing else.
 */
export function splitBlocks(given: string): readonly string[] {
	// In Markdown, a carriage return alone also ends a line, and may therefore end a block of code.
	const text = given.replace(/\r\n?/g, "\n");
	// Text that is too long for one block is split anyway. Its reference links are then shown as written.
	const isWhole = text.length <= BLOCK_CHARACTERS && DEFINES.test(text);
	if (isWhole && !beginsWithCode(text)) return [text];
	const blocks: string[] = [];
	let lines: string[] = [];
	let fence: { readonly mark: string; readonly isTop: boolean } | undefined;
	/** What comes before the line: another line, an empty line, or the end of a code block outside a list. */
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
	if (!isWhole) return blocks;
	const first = blocks.findIndex((block) => !beginsWithCode(block));
	return first === -1 ? blocks : [...blocks.slice(0, first), blocks.slice(first).join("\n")];
}

/** True if a block can be parsed as Markdown quickly and without deep nesting. */
export function isReadable(block: string): boolean {
	// A block that begins with a code fence contains only code, which is parsed in one pass, however long it is.
	if (beginsWithCode(block)) return true;
	if (block.length > BLOCK_CHARACTERS) return false;
	const lines = block.split("\n");
	const depths = lines.map(depthOf);
	const opened = depths.reduce((sum, depth) => sum + depth, 0);
	return countMarks(block) <= MARKS && depths.every((depth) => depth <= DEPTH) && opened <= OPENED && cellsOf(lines) <= CELLS;
}

/** How many cells a table of these lines would have. */
function cellsOf(lines: readonly string[]): number {
	const widest = lines.reduce((most, line) => Math.max(most, line.split("|").length - 1), 0);
	return widest * lines.length;
}

/** How many quotes and lists a line opens, judging by its marks and its indentation. */
function depthOf(line: string): number {
	const [begin = ""] = /^(?:\s|>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))*/.exec(line) ?? [];
	const marks = begin.match(/[>*+.)-]/g)?.length ?? 0;
	return marks + Math.floor((begin.length - marks) / 4);
}

export function beginsWithCode(block: string): boolean {
	const end = block.indexOf("\n");
	return FENCE.exec(end === -1 ? block : block.slice(0, end))?.[1] === "";
}

/** The number of markup characters that are slow to parse. */
export function countMarks(text: string): number {
	return text.match(/[[\]*~]|(?<!\w)_|_(?!\w)/g)?.length ?? 0;
}
