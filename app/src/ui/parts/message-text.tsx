import { lazy, Suspense, useState } from "react";
import { MARKDOWN_CHARACTERS } from "../model/text-bounds.ts";
import { fill, words } from "../words/interface.ts";

const MarkdownText = lazy(() => import("./markdown.tsx"));

const SHOWN_CHARACTERS = 400_000;

interface MessageTextProps {
	readonly text: string;
	readonly live: boolean;
}

/** What an agent says. Until the markdown reader is there the same text stands as plain text. */
export function MessageText({ text, live }: MessageTextProps) {
	const [isWhole, setWhole] = useState(false);
	const isLong = text.length > MARKDOWN_CHARACTERS;
	const isCut = text.length > SHOWN_CHARACTERS && !isWhole;
	return (
		<div className={`md ${live ? "streams" : ""}`} dir="auto">
			{isLong ? (
				<p className="pre">{isCut ? text.slice(0, SHOWN_CHARACTERS) : text}</p>
			) : (
				<Suspense fallback={<p className="pre">{text}</p>}>
					<MarkdownText text={text} />
				</Suspense>
			)}
			{isCut && (
				<button type="button" className="btn" onClick={() => setWhole(true)}>
					{fill(words.thread.moreText, { count: (text.length - SHOWN_CHARACTERS).toLocaleString("en") })}
				</button>
			)}
		</div>
	);
}
