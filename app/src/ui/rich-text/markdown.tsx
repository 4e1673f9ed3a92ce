import { isValidElement, memo, type ReactNode, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { rangesInLines, rangesWithin, type TextRange } from "../text/marked-text.ts";
import { visibleProse } from "../text/visible-text.ts";
import { ClaimMark, MarkedProse } from "./claim-mark.tsx";
import { CodeBlock } from "./code-block.tsx";
import { markRanges } from "./mark-ranges.ts";
import { drawnAtOnce, fencedCode, type MarkdownChunk, MarkdownChunks } from "./markdown-chunks.ts";
import { isPlainSentence } from "./plain-sentence.ts";

/** HTML in the text is shown as text, links other than http, https and mail are removed, and nothing is loaded from other hosts. */
const components: Components = {
	a: ({ href, children }) =>
		/^(?:https?:\/\/|mailto:)/i.test(href ?? "") ? (
			<a href={href} title={href} target="_blank" rel="noreferrer noopener nofollow">
				{children}
			</a>
		) : (
			<span>{children}</span>
		),
	img: ({ alt, src }) => <ImageWords {...{ alt, src }} />,
	pre: ({ children }) => {
		const { code, language } = codeIn(children);
		return <CodeBlock code={code} language={language} />;
	},
	table: ({ children }) => (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a horizontally scrolling block must be scrollable by keyboard
		<div className="table-scroll" tabIndex={0}>
			<table>{children}</table>
		</div>
	),
	h1: ({ children }) => <h2>{children}</h2>,
	h2: ({ children }) => <h3>{children}</h3>,
	input: ({ checked }) => <span>{checked === true ? "☑ " : "☐ "}</span>,
	mark: ({ children, node }) => <ClaimMark isFirst={node?.properties.dataFirst !== undefined}>{children}</ClaimMark>,
};
/**
 * A node of the parsed Markdown, as far as `showControls` needs it. A code block keeps its exact characters, so that they can be copied;
 * `CodeBlock` writes out the invisible ones.
 */
interface TextNode {
	readonly type: string;
	value?: string;
	alt?: string | null;
	readonly children?: readonly TextNode[];
}

function showControls(node: TextNode): void {
	if (node.value !== undefined && node.type !== "code") node.value = visibleProse(node.value);
	if (typeof node.alt === "string") node.alt = visibleProse(node.alt);
	node.children?.forEach(showControls);
}

const plugins = [remarkGfm, () => showControls];

/** Returns the address from which the app serves an image that a text refers to; undefined for an image that is not shown. */
export type ImageUrl = (source: string) => string | undefined;

export interface MarkdownTextProps {
	readonly text: string;
	/** Absent to show alternative texts or addresses instead of images. */
	readonly imageUrl?: ImageUrl;
	/** Sentences that no receipt backs. */
	readonly marks?: readonly TextRange[];
}

function ImageWords({ alt, src }: { readonly alt: string | undefined; readonly src: unknown }) {
	return <span className="muted">{alt === undefined || alt === "" ? String(src ?? "") : alt}</span>;
}

/** Markdown with the images that `imageUrl` finds. For others, the alt text is shown, or the address if there is none. */
function withImages(imageUrl: ImageUrl): Components {
	return {
		...components,
		img: ({ alt, src }) => {
			const url = typeof src === "string" ? imageUrl(src) : undefined;
			if (url === undefined) return <ImageWords {...{ alt, src }} />;
			return <img className="md-image" src={url} alt={alt ?? ""} loading="lazy" />;
		},
	};
}

/** Code within a block of Markdown, such as a list or a quote, as the parser produces it. */
function codeIn(children: ReactNode): { readonly code: string; readonly language: string } {
	if (!isValidElement<{ readonly className?: string; readonly children?: ReactNode }>(children))
		return { code: String(children), language: "" };
	const [, language = ""] = /language-(\S+)/.exec(children.props.className ?? "") ?? [];
	return { code: String(children.props.children ?? "").replace(/\n$/, ""), language };
}

const Chunk = memo(function Chunk({ kind, text, imageUrl, marks }: MarkdownChunk & Pick<MarkdownTextProps, "imageUrl" | "marks">) {
	const shown = useMemo(() => (imageUrl === undefined ? components : withImages(imageUrl)), [imageUrl]);
	const withMarks = useMemo(() => (marks === undefined ? plugins : [remarkGfm, markRanges(marks), () => showControls]), [marks]);
	if (kind === "code" && marks === undefined) return <CodeBlock {...fencedCode(text)} />;
	if (kind === "code") {
		return (
			<div className="claim">
				<CodeBlock {...fencedCode(text)} />
			</div>
		);
	}
	const plain = <PlainText text={text} {...(marks && { marks })} />;
	if (kind === "plain") return plain;
	// Building and running the parser for a plain sentence would cost far more than rendering the sentence.
	if (isPlainSentence(text)) {
		return (
			<p>
				<MarkedProse text={text.trimEnd()} marks={marks} />
			</p>
		);
	}
	// Text that makes the parser throw is shown unchanged. While it streams in, it may be parsable again with the next chunk.
	return (
		<ErrorBoundary fallback={plain} resetKeys={[text]}>
			<Markdown remarkPlugins={withMarks} components={shown}>
				{text}
			</Markdown>
		</ErrorBoundary>
	);
});

/** A chunk is parsed again only if its text, its marks or `imageUrl` changes. While text streams in, only the last chunks change. */
export default function MarkdownText({ text, imageUrl, marks }: MarkdownTextProps) {
	const [reader] = useState(() => new MarkdownChunks());
	const chunks = reader.read(text);
	const marksOf = useMemo(() => marksOfChunks(text, chunks, marks ?? []), [text, chunks, marks]);
	return useMade(chunks).map((chunk, index) => {
		const own = marksOf.get(chunk);
		// biome-ignore lint/suspicious/noArrayIndexKey: blocks have no ids, and keep their positions while text streams in
		return <Chunk key={index} {...chunk} {...(imageUrl && { imageUrl })} {...(own && { marks: own })} />;
	});
}

/** The marks of each chunk that has any. Between two chunks, there is one line feed. */
function marksOfChunks(
	text: string,
	chunks: readonly MarkdownChunk[],
	marks: readonly TextRange[],
): ReadonlyMap<MarkdownChunk, readonly TextRange[]> {
	const found = new Map<MarkdownChunk, readonly TextRange[]>();
	if (marks.length === 0) return found;
	const inLines = rangesInLines(text, marks);
	let from = 0;
	for (const chunk of chunks) {
		const own = rangesWithin(inLines, from, from + chunk.text.length);
		if (own.length > 0) found.set(chunk, own);
		from += chunk.text.length + 1;
	}
	return found;
}

/** About two frames at 60 Hz. */
const PAUSE_MS = 32;
const MORE_COST = 15_000;

/**
 * The chunks to show. A long text is rendered a few chunks at a time, because rendering all at once would block the page. Rendered chunks
 * stay.
 */
function useMade(chunks: readonly MarkdownChunk[]): readonly MarkdownChunk[] {
	const made = useRef({ count: 0, of: 0 });
	const latest = useRef(chunks);
	latest.current = chunks;
	const [, again] = useReducer((times: number) => times + 1, 0);
	// If all earlier chunks have been rendered, new ones are rendered at once, as far as their cost allows.
	if (made.current.count >= made.current.of) made.current.count += drawnAtOnce(chunks, made.current.count);
	made.current.of = chunks.length;
	const isMore = made.current.count < chunks.length;
	useEffect(() => {
		if (!isMore) return;
		const timer = setInterval(() => {
			made.current.count += drawnAtOnce(latest.current, made.current.count, MORE_COST);
			again();
		}, PAUSE_MS);
		return () => clearInterval(timer);
	}, [isMore]);
	return chunks.slice(0, made.current.count);
}

function PlainText({ text, marks }: Pick<MarkdownTextProps, "text" | "marks">) {
	return (
		<p className="pre" dir="auto">
			<MarkedProse text={text} marks={marks} />
		</p>
	);
}
