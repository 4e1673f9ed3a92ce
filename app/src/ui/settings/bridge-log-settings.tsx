import { ArrowLeft, RotateCcw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { words } from "../../strings/interface.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { readableLog } from "../doctor/bridge-log-lines.ts";
import { useApp } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { useAnswer } from "../state/use-answer.ts";
import { visibleText } from "../text/visible-text.ts";

/** The end of the bridge's log, scrolled to the newest lines at the bottom. */
export function BridgeLogSettings() {
	const { own } = useApp().app.bridge;
	const [asked, setAsked] = useState(0);
	const { answer, problem } = useAnswer(() => callApp("bridgeLog", {}), asked);
	const end = useRef<HTMLDivElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the end of each newly read log and to a problem
	useEffect(() => {
		// Some browsers return a promise, which is not a cleanup function.
		void end.current?.scrollIntoView({ block: "end" });
	}, [answer, problem]);
	// The bridge is not this home's own, so a log in this home, if there is one, is another bridge's.
	if (!own) return <p className="muted">{settingsPageWords.logElsewhere}</p>;
	if (answer === undefined && problem === undefined) return <p className="muted">{words.page.loading}</p>;
	return (
		<>
			{answer?.truncated && <p className="muted">{settingsPageWords.truncated}</p>}
			{answer?.text === "" && <p className="muted">{settingsPageWords.emptyLog}</p>}
			{answer !== undefined && answer.text !== "" && <pre className="code whole">{visibleText(readableLog(answer.text), "keep").text}</pre>}
			{problem !== undefined && (
				<p className="note bad" role="alert">
					{answer === undefined ? settingsPageWords.logFailed : settingsPageWords.newerLogFailed} {problem}
				</p>
			)}
			<div ref={end} className="flex">
				<a className="btn" href={hrefOf({ page: "settings", part: "diagnostics" })}>
					<Icon of={ArrowLeft} />
					{settingsPageWords.backToDiagnostics}
				</a>
				<button type="button" className="btn" onClick={() => setAsked(asked + 1)}>
					<Icon of={RotateCcw} />
					{settingsPageWords.refresh}
				</button>
			</div>
		</>
	);
}
