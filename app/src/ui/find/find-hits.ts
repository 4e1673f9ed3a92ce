import { foldedHits } from "../../threads/domain/folded-text.ts";

/** What is looked through: messages, answers and names of files, as they are shown. */
const SEARCHED = ".me > .pre, .me .file-name, .turn .md, .turn .got .link";
/** More are neither counted nor marked. */
export const MOST_HITS = 1_000;
/** A match ends with its paragraph, its line of a list, its cell. */
const BLOCKS = "p, li, h1, h2, h3, h4, h5, h6, pre, td, th, blockquote, div, .link, .file-name";

interface Piece {
	readonly node: Text;
	/** Where its text begins in the text of its block. */
	readonly from: number;
}

/** Every place in a conversation where a text is found, in the order of reading. */
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

/** The text nodes of each block: a word may be partly in bold. */
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

/** Words of a button inside an answer, or for screen readers only, are not part of it. */
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
