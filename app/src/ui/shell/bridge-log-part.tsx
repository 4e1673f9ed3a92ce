import { ArrowLeft, RotateCcw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { callApp } from "../client/call-app.ts";
import { readableLog } from "../model/bridge-log-lines.ts";
import { visibleText } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { words } from "../words/interface.ts";
import { hrefOf } from "./route.ts";
import { useAnswer } from "./use-answer.ts";

/** The end of the bridge's log: what is newest is at the bottom, and that is what shows. */
export function BridgeLogPart() {
	const [asked, setAsked] = useState(0);
	const { answer, problem } = useAnswer(() => callApp("bridgeLog", {}), asked);
	const end = useRef<HTMLDivElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: it is the newly read log whose end counts
	useEffect(() => {
		// Some browsers give a promise, which is nothing to clean up with.
		void end.current?.scrollIntoView({ block: "end" });
	}, [answer]);
	if (answer === undefined) return <p className="muted">{problem ?? words.page.loading}</p>;
	return (
		<>
			{answer.truncated && <p className="muted">{words.settings.truncated}</p>}
			{answer.text === "" ? (
				<p className="muted">{words.settings.emptyLog}</p>
			) : (
				<pre className="code whole">{visibleText(readableLog(answer.text), "keep").text}</pre>
			)}
			<div ref={end} className="flex">
				<a className="btn" href={hrefOf({ page: "settings", part: "diagnostics" })}>
					<Icon of={ArrowLeft} />
					{words.settings.backToDiagnostics}
				</a>
				<button type="button" className="btn" onClick={() => setAsked(asked + 1)}>
					<Icon of={RotateCcw} />
					{words.settings.refresh}
				</button>
			</div>
		</>
	);
}
