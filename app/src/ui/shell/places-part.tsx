import { FolderOpen, RotateCcw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { SettingsView } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";
import { readableLog } from "../model/bridge-log-lines.ts";
import { visibleName, visibleText } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { words } from "../words/interface.ts";
import { attempt } from "./thread-acts.ts";
import { useAnswer } from "./use-answer.ts";

/** Where things lie and how they are set. */
export function PlacesPart() {
	const { answer, problem } = useAnswer<SettingsView>(() => callApp("settings", {}), undefined);
	if (answer === undefined) return <p className="muted">{problem ?? words.page.loading}</p>;
	const rows: readonly (readonly [string, string])[] = [
		[words.settings.home, answer.home],
		[words.settings.threads, answer.threadsFolder],
		[words.settings.log, answer.logFile],
		[words.settings.app, answer.appUrl],
		[words.settings.bridge, answer.bridgeUrl ?? ""],
		[words.settings.roots, answer.allowedRoots.join(", ") || words.settings.noRoots],
		[words.settings.set, answer.set.join(", ") || words.settings.nothingSet],
		[words.settings.version, answer.version],
	];
	return (
		<>
			<dl className="kv wide">
				{rows.map(([name, value]) => (
					<div key={name} className="kv-row">
						<dt>{name}</dt>
						<dd className="wrap">
							<code>{visibleName(value)}</code>
						</dd>
					</div>
				))}
			</dl>
			<p>
				<button type="button" className="btn" onClick={() => void attempt(() => callApp("openDataFolder", {}))}>
					<Icon of={FolderOpen} />
					{words.settings.openHome}
				</button>
			</p>
		</>
	);
}

/** The end of the bridge's log: what is newest stands at the bottom, and that is what shows. */
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
			<div ref={end}>
				<button type="button" className="btn" onClick={() => setAsked(asked + 1)}>
					<Icon of={RotateCcw} />
					{words.settings.readAgain}
				</button>
			</div>
		</>
	);
}
