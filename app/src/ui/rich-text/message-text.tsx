import { Suspense, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { count, fill, words } from "../../strings/interface.ts";
import { forgetFailure, OnDemand } from "../on-demand/on-demand.ts";
import type { TextRange } from "../text/marked-text.ts";
import { MarkedProse } from "./claim-mark.tsx";
import { useWhole } from "./whole.ts";

export const markdown = new OnDemand(() => import("./markdown.tsx").then((module) => module.default));

const inThousands = (number: number) => number.toLocaleString("en");
const SHOWN_CHARACTERS = 400_000;

interface MessageTextProps {
	readonly text: string;
	readonly live: boolean;
	/** Sentences that no receipt backs. */
	readonly marks?: readonly TextRange[];
}

/** An agent's message. It is plain text until the Markdown parser has been loaded, and stays plain if that fails. */
export function MessageText({ text, live, marks }: MessageTextProps) {
	const [isWhole, setWhole] = useState(false);
	const isUnfolded = useWhole();
	const isCut = text.length > SHOWN_CHARACTERS && !isWhole && !isUnfolded;
	const shown = isCut ? text.slice(0, SHOWN_CHARACTERS) : text;
	const plain = (
		<p className="pre">
			<MarkedProse text={shown} marks={marks} />
		</p>
	);
	return (
		<div className={`md ${live ? "streams" : ""}`} dir="auto">
			<ErrorBoundary fallback={plain} onError={forgetFailure}>
				<Suspense fallback={plain}>
					<markdown.Part text={shown} {...(marks && { marks })} />
				</Suspense>
			</ErrorBoundary>
			{isCut && (
				<button type="button" className="btn" onClick={() => setWhole(true)}>
					{fill(words.thread.moreText, { characters: count(text.length - SHOWN_CHARACTERS, "more character", inThousands) })}
				</button>
			)}
		</div>
	);
}
