import { foldedHits } from "../../threads/domain/folded-text.ts";

/**
 * The elements that are searched, in their displayed form: messages, answers, names and patterns of files, and steps including their
 * folded content. A folded row renders its content once that content contains the searched text.
 */
const SEARCHED =
	".me > .pre, .me .file-name, .turn .md, .act .obj, .fold.pre, .fold p > code, .fold .code, .fold .diff .l > span:last-child," +
	".turn .got button.link, .turn .got code.cut, .turn .req .names, .turn .req code.cut";
/** Matches beyond this number are neither counted nor marked. */
export const MOST_HITS = 1_000;
/** A match never extends beyond one of these elements, such as a paragraph, a list item or a table cell. */
const BLOCKS = "p, li, h1, h2, h3, h4, h5, h6, pre, td, th, blockquote, div, .link, .file-name";

interface Piece {
	readonly node: Text;
	/** The position of the node's text in the text of its block. */
	readonly from: number;
}

/** The matches of a text in a conversation, in reading order, up to `MOST_HITS`. */
export function findHits(root: ParentNode, wanted: string): readonly Range[] {
	if (wanted.trim() === "") return [];
	const ranges: Range[] = [];
	for (const part of root.querySelectorAll(SEARCHED)) {
		for (const pieces of blocksOf(part)) {
			const text = pieces.map(({ node }) => node.data).join("");
			for (const { start, end } of foldedHits(text, wanted, MOST_HITS - ranges.length)) ranges.push(rangeOf(pieces, start, end));
			if (ranges.length >= MOST_HITS) return ranges;
		}
	}
	return ranges;
}

/** The text nodes of each block. A word may span several nodes, for example if part of it is bold. */
function blocksOf(part: Element): readonly (readonly Piece[])[] {
	const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
	const blocks: Piece[][] = [];
	let block: Element | null = null;
	let length = 0;
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		const text = node as Text;
		if (text.data === "" || isLabel(text, part)) continue;
		const own = text.parentElement?.closest(BLOCKS) ?? part;
		if (own !== block) {
			block = own;
			length = 0;
			blocks.push([]);
		}
		blocks.at(-1)?.push({ node: text, from: length });
		length += text.data.length;
	}
	return blocks;
}

/**
 * True for text inside a searched element that is not searched: the label of a button, the heading of a code block, or text for screen
 * readers only.
 */
function isLabel({ parentElement }: Text, part: Element): boolean {
	const label = parentElement?.closest("button, .vh, .code-head");
	return label !== null && label !== undefined && label !== part && part.contains(label);
}

function rangeOf(pieces: readonly Piece[], start: number, end: number): Range {
	const range = document.createRange();
	const first = pieces.findLast(({ from }) => from <= start);
	const last = pieces.findLast(({ from }) => from < end);
	if (first !== undefined) range.setStart(first.node, start - first.from);
	if (last !== undefined) range.setEnd(last.node, Math.min(end - last.from, last.node.data.length));
	return range;
}
