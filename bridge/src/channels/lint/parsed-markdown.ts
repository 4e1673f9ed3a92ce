import MarkdownIt, { type Token } from "markdown-it";

/** Raw HTML is text, as it is for the mail that is built. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** The last text and its blocks: the checks of a channel all read the same text, one after the other. */
let last: { readonly text: string; readonly tokens: readonly Token[] } | undefined;

/** A text as blocks, each with its lines. Linear: its nesting is bounded. */
export function parsedMarkdown(text: string): readonly Token[] {
	if (last?.text !== text) last = { text, tokens: markdown.parse(text, {}) };
	return last.tokens;
}

/** Where each line begins. UTF-16 units. */
export function lineStarts(text: string): readonly number[] {
	return [0, ...Array.from(text.matchAll(/\r\n|[\r\n]/g), ({ 0: end, index }) => index + end.length)];
}

/** An inline piece with the place where its block begins. */
export interface InlinePiece {
	/** The block's own pieces. */
	readonly children: readonly Token[];
	/** UTF-16 units. */
	readonly from: number;
	/** Where the next block may begin. */
	readonly to: number;
}

/** The runs of text in a document: paragraphs, headings, cells. */
export function inlinePieces(text: string): readonly InlinePiece[] {
	const starts = lineStarts(text);
	return parsedMarkdown(text).flatMap(({ type, children, map }) => {
		if (type !== "inline" || children === null) return [];
		const [first = 0, last = starts.length] = map ?? [];
		return [{ children, from: starts[first] ?? 0, to: starts[last] ?? text.length }];
	});
}
