import { lazy, Suspense, useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { visibleProse } from "../text/visible-text.ts";

const MarkdownText = lazy(() => import("./markdown.tsx"));

const SHOWN_CHARACTERS = 400_000;

interface MessageTextProps {
	readonly text: string;
	readonly live: boolean;
}

/** An agent's message. Shown as plain text until the Markdown parser has loaded. */
export function MessageText({ text, live }: MessageTextProps) {
	const [isWhole, setWhole] = useState(false);
	const isCut = text.length > SHOWN_CHARACTERS && !isWhole;
	const shown = isCut ? text.slice(0, SHOWN_CHARACTERS) : text;
	return (
		<div className={`md ${live ? "streams" : ""}`} dir="auto">
			<Suspense fallback={<p className="pre">{visibleProse(shown)}</p>}>
				<MarkdownText text={shown} />
			</Suspense>
			{isCut && (
				<button type="button" className="btn" onClick={() => setWhole(true)}>
					{fill(words.thread.moreText, { count: (text.length - SHOWN_CHARACTERS).toLocaleString("en") })}
				</button>
			)}
		</div>
	);
}
