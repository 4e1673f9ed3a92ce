import { memo, useEffect, useRef, useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { visibleName, visibleText } from "../text/visible-text.ts";
import { FoldButton } from "./fold-button.tsx";
import { highlight } from "./highlight.ts";
import type { CodeRun } from "./highlight-code.ts";
import { countLines, firstLines } from "./markdown-chunks.ts";
import { useWhole } from "./whole.ts";

/** Longer code is folded, so that the text after it stays visible. */
const SHOWN_LINES = 40;
/** Code is highlighted once it has not changed for this long, so that code still streaming in is not highlighted again with every chunk. */
const QUIET_MS = 300;

interface CodeBlockProps {
	readonly code: string;
	/** The language as the agent names it, such as "ts" or "python". */
	readonly language: string;
}

/** A message's code: its language, a copy button, syntax highlighting, and folding if it is long. */
export const CodeBlock = memo(function CodeBlock({ code, language }: CodeBlockProps) {
	const [isOpen, setOpen] = useState(false);
	const isUnfolded = useWhole();
	const lines = countLines(code);
	const isLong = lines > SHOWN_LINES;
	const isWhole = !isLong || isOpen || isUnfolded;
	const shown = visibleText(isWhole ? code : firstLines(code, SHOWN_LINES), "keep").text;
	const box = useRef<HTMLDivElement>(null);
	const runs = useColours(shown, language, box);
	const name = visibleName(language.slice(0, 30));
	return (
		<div className="code-block" ref={box}>
			<div className="code-head">
				<span>{name}</span>
				<CopyButton text={code} label={words.thread.copyCode} />
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a horizontally scrolling block must be scrollable by keyboard */}
			<pre className="code" dir="ltr" tabIndex={0}>
				<code>{runs === undefined ? shown : runs.map(colouredRun)}</code>
			</pre>
			{isLong && <FoldButton isOpen={isOpen} more={fill(words.thread.allLines, { count: lines })} setOpen={setOpen} />}
		</div>
	);
});

function colouredRun([piece, kind]: CodeRun, index: number) {
	return kind === undefined ? (
		piece
	) : (
		<span key={index} className={`code-${kind}`}>
			{piece}
		</span>
	);
}

/** The highlighted pieces of a text that is near the viewport and has not changed for a moment; undefined until they are available. */
function useColours(text: string, language: string, box: { readonly current: Element | null }): readonly CodeRun[] | undefined {
	const [coloured, setColoured] = useState<{ readonly text: string; readonly runs: readonly CodeRun[] | undefined }>();
	useEffect(() => {
		const { current } = box;
		if (language === "" || current === null) return;
		const leave = new AbortController();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const colour = () =>
			void highlight({ text, relativePath: `code.${language}` }, leave.signal).then(
				(runs) => !leave.signal.aborted && setColoured({ text, runs }),
			);
		const watcher = new IntersectionObserver(
			([entry]) => {
				if (entry?.isIntersecting !== true) return;
				watcher.disconnect();
				timer = setTimeout(colour, QUIET_MS);
			},
			{ rootMargin: "400px" },
		);
		watcher.observe(current);
		return () => {
			watcher.disconnect();
			clearTimeout(timer);
			leave.abort();
		};
	}, [text, language, box]);
	return coloured?.text === text ? coloured.runs : undefined;
}
