import { Component, memo, type ReactNode, useMemo } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { isReadable, splitBlocks } from "../model/markdown-blocks.ts";
import { MARKDOWN_CHARACTERS } from "../model/text-bounds.ts";

/** HTML in the text stays text, addresses other than http, https and mail are dropped, and nothing is loaded from elsewhere. */
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
	pre: ({ children }) => (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be scrollable by keyboard
		<pre className="code" tabIndex={0}>
			{children}
		</pre>
	),
	table: ({ children }) => (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be scrollable by keyboard
		<div className="table-scroll" tabIndex={0}>
			<table>{children}</table>
		</div>
	),
	h1: ({ children }) => <h2>{children}</h2>,
	h2: ({ children }) => <h3>{children}</h3>,
	input: ({ checked }) => <span>{checked === true ? "☑ " : "☐ "}</span>,
};
const plugins = [remarkGfm];

/** Where the app itself serves an image that a text names; undefined for one that is not shown. */
export type ImageUrl = (source: string) => string | undefined;

interface MarkdownTextProps {
	readonly text: string;
	/** Absent = no images: their words are shown. */
	readonly imageUrl?: ImageUrl;
}

function ImageWords({ alt, src }: { readonly alt: string | undefined; readonly src: unknown }) {
	return <span className="muted">{alt === undefined || alt === "" ? String(src ?? "") : alt}</span>;
}

/** Markdown with the images that `imageUrl` finds. What it does not find is words, as everywhere. */
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

const Block = memo(function Block({ text, imageUrl }: MarkdownTextProps) {
	const shown = useMemo(() => (imageUrl === undefined ? components : withImages(imageUrl)), [imageUrl]);
	if (!isReadable(text)) return <PlainText text={text} />;
	return (
		<PlainFence text={text}>
			<Markdown remarkPlugins={plugins} components={shown}>
				{text}
			</Markdown>
		</PlainFence>
	);
});

/** Finished blocks are parsed once: while text streams in, only the last one is read again. */
export default function MarkdownText({ text, imageUrl }: MarkdownTextProps) {
	if (text.length > MARKDOWN_CHARACTERS) return <PlainText text={text} />;
	return splitBlocks(text).map((block, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: text is only ever appended to, so a block keeps its place
		<Block key={index} text={block} {...(imageUrl && { imageUrl })} />
	));
}

function PlainText({ text }: { readonly text: string }) {
	return <p className="pre">{text}</p>;
}

/** Text that the reader of markdown breaks on stands as it is; the rest of the page knows nothing of it. */
class PlainFence extends Component<{ readonly text: string; readonly children: ReactNode }, { readonly broken?: string }> {
	override state: { readonly broken?: string } = {};

	static getDerivedStateFromError(): { readonly broken: string } {
		return { broken: "" };
	}

	override componentDidCatch(): void {
		this.setState({ broken: this.props.text });
	}

	override render(): ReactNode {
		const { text, children } = this.props;
		// While text streams in, the next piece may be read again.
		const { broken } = this.state;
		return broken === "" || broken === text ? <PlainText text={text} /> : children;
	}
}
