import { Wrench } from "lucide-react";
import { useMemo, useState } from "react";
import { words } from "../../strings/interface.ts";
import { SCRIPT } from "../agents/routing.ts";
import { Icon } from "../components/icon.tsx";
import { ProviderMark } from "../components/provider-mark.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { forgetPress, pressedIds } from "../composer/pressed-ids.ts";
import { callApp } from "../connection/call-app.ts";
import { useProviders } from "../state/app-context.tsx";
import { openToWrite } from "../state/composer-focus.ts";
import { setPreferences } from "../state/preferences.ts";
import { attempt } from "../state/thread-actions.ts";
import { actionProgram, actionPrompt } from "./action-program.ts";

const EXAMPLE = "calendar";

/** One press adds the calendar example and sends a program that asks before it acts. Needs neither an agent nor a key. */
export function FirstAction() {
	const providers = useProviders();
	const [isSending, setSending] = useState(false);
	const script = providers.find(({ providerId }) => providerId === SCRIPT);
	const program = useMemo(() => actionProgram(new Date()), []);
	const name = script?.label ?? words.first.script;
	const begin = () => {
		if (script === undefined || isSending) return;
		setSending(true);
		void attempt(async () => {
			const { integrations } = await callApp("listTools", {});
			// A calendar that is there is the user's own, in whatever state it is.
			if (integrations.every(({ integration }) => integration !== EXAMPLE)) await callApp("addTools", { example: EXAMPLE });
			const routing = { executionTarget: script.target, providerId: script.providerId };
			const request = { prompt: actionPrompt(program), routing };
			const { threadId } = await callApp("send", { ...request, ...pressedIds("first action", request) });
			forgetPress("first action");
			setPreferences({ firstAction: threadId });
			openToWrite(threadId);
		}).finally(() => setSending(false));
	};
	return (
		<section className="start" aria-label={words.firstAction.label}>
			<ol className="steps">
				{words.firstAction.steps.map((step, index) => (
					<li key={step}>
						<span className="stepn">{index + 1}</span>
						{step}
					</li>
				))}
			</ol>
			<div className="me">
				<p>{words.firstAction.task}</p>
				<div className="me-f">
					<span>
						<Icon of={Wrench} small /> {words.firstAction.adds}
					</span>
					<span>{words.firstAction.where}</span>
				</div>
				<details className="program">
					<summary>{words.first.show}</summary>
					<pre className="code whole">{program}</pre>
				</details>
			</div>
			<div className="flex first-do">
				{/* biome-ignore lint/a11y/noAutofocus: the page is there for this one press, and Enter makes it */}
				<button type="button" className="btn pri lg" disabled={script?.available !== true} aria-busy={isSending} onClick={begin} autoFocus>
					{words.firstAction.send}
					<kbd className="hide-n">Enter</kbd>
				</button>
				<span className="flex muted">
					<ProviderMark name={name} />
					{name}
					{script?.available === true ? (
						<StateChip state="succeeded" word={words.first.ready} look="word" />
					) : (
						<StateChip state="sending" word={words.first.notReady} look="word" />
					)}
				</span>
			</div>
		</section>
	);
}
