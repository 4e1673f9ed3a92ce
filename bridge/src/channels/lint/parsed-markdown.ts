import MarkdownIt, { type Token } from "markdown-it";

/** Raw HTML is treated as text, as it is in the mail that is built. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** The last text and its blocks, because the checks of a channel all read the same text, one after another. */
let last: { readonly text: string; readonly tokens: readonly Token[] } | undefined;

/** Parses a text into blocks, each with its lines. Takes linear time, because nesting is bounded. */
export function parsedMarkdown(text: string): readonly Token[] {
	if (last?.text !== text) last = { text, tokens: markdown.parse(text, {}) };
	return last.tokens;
}

/** Where each line begins, in UTF-16 units. */
export function lineStarts(text: string): readonly number[] {
	return [0, ...Array.from(text.matchAll(/\r\n|[\r\n]/g), ({ 0: end, index }) => index + end.length)];
}

/** A run of inline text, and where its block begins. */
export interface InlinePiece {
	/** The tokens of the run. */
	readonly children: readonly Token[];
	/** Where the block begins, in UTF-16 units. */
	readonly from: number;
	/** Where the line after the block begins. */
	readonly to: number;
}

/** The runs of inline text in a document: paragraphs, headings, table cells. */
export function inlinePieces(text: string): readonly InlinePiece[] {
	const starts = lineStarts(text);
	return parsedMarkdown(text).flatMap(({ type, children, map }) => {
		if (type !== "inline" || children === null) return [];
		const [first = 0, last = starts.length] = map ?? [];
		return [{ children, from: starts[first] ?? 0, to: starts[last] ?? text.length }];
	});
}
