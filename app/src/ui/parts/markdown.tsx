import { memo } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

/** HTML in the text stays text, addresses other than http, https and mail are dropped, and nothing is loaded from elsewhere. */
const components: Components = {
	a: ({ href, children }) =>
		href === undefined || href === "" ? (
			<span>{children}</span>
		) : (
			<a href={href} target="_blank" rel="noreferrer noopener nofollow">
				{children}
			</a>
		),
	img: ({ alt, src }) => <span className="muted">{alt === undefined || alt === "" ? String(src ?? "") : alt}</span>,
	pre: ({ children }) => (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be scrollable by keyboard
		<pre className="code" tabIndex={0}>
			{children}
		</pre>
	),
	table: ({ children }) => (
		<div className="table-scroll">
			<table>{children}</table>
		</div>
	),
	h1: ({ children }) => <h2>{children}</h2>,
	h2: ({ children }) => <h3>{children}</h3>,
	input: ({ checked }) => <span>{checked === true ? "☑ " : "☐ "}</span>,
};
const plugins = [remarkGfm];

const Block = memo(function Block({ text }: { readonly text: string }) {
	return (
		<Markdown remarkPlugins={plugins} components={components}>
			{text}
		</Markdown>
	);
});

/** Finished blocks are parsed once: while text streams in, only the last one is read again. */
export default function MarkdownText({ text }: { readonly text: string }) {
	return splitBlocks(text).map((block, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: text is only ever appended to, so a block keeps its place
		<Block key={index} text={block} />
	));
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A block that could belong to the one before it, as the next entry of a list does, stays with it. */
const CONTINUES = /^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>|\|)/;
const DEFINES = /^ {0,3}\[[^\]]+\]:/m;

/** Cuts text at empty lines outside of fences. Text with link definitions is one block: they count everywhere. */
export function splitBlocks(text: string): readonly string[] {
	if (DEFINES.test(text)) return [text];
	const blocks: string[] = [];
	let lines: string[] = [];
	let fence: string | undefined;
	let isGap = false;
	for (const line of text.split("\n")) {
		if (isGap && fence === undefined && line !== "" && !CONTINUES.test(line)) {
			blocks.push(lines.join("\n"));
			lines = [];
		}
		const [, mark] = FENCE.exec(line) ?? [];
		if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined;
		isGap = line.trim() === "";
		lines.push(line);
	}
	blocks.push(lines.join("\n"));
	return blocks;
}
