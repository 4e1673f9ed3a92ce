import { FileCheck } from "lucide-react";
import { useMemo, useState } from "react";
import { words } from "../../strings/interface.ts";
import { SCRIPT } from "../agents/routing.ts";
import { Icon } from "../components/icon.tsx";
import { ProviderMark } from "../components/provider-mark.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { forgetPress, pressedIds } from "../composer/pressed-ids.ts";
import { callApp } from "../connection/call-app.ts";
import { sentMessage } from "../follow/sent-message.ts";
import { useProviders } from "../state/app-context.tsx";
import { openToWrite } from "../state/composer-focus.ts";
import { attempt } from "../state/thread-actions.ts";
import { FIRST_FILE, firstProgram, firstPrompt } from "./first-program.ts";

/** One click produces a finished file, with nothing but XWorkmate itself. */
export function FirstFile() {
	const providers = useProviders();
	const [isSending, setSending] = useState(false);
	const script = providers.find(({ providerId }) => providerId === SCRIPT);
	const program = useMemo(() => firstProgram(providers), [providers]);
	const name = script?.label ?? words.first.script;
	const isReady = script?.available === true;
	const make = () => {
		if (script === undefined || isSending) return;
		setSending(true);
		void attempt(async () => {
			const routing = { executionTarget: script.target, providerId: script.providerId };
			const request = { prompt: firstPrompt(program), routing, require: [FIRST_FILE] };
			const { threadId } = await callApp("send", { ...request, ...pressedIds("first file", request) });
			forgetPress("first file");
			sentMessage.set({ threadId, prompt: request.prompt });
			openToWrite(threadId);
		}).finally(() => setSending(false));
	};
	return (
		<section className="start" aria-label={words.first.label}>
			<ol className="steps">
				{words.first.steps.map((step, index) => (
					<li key={step}>
						<span className="stepn">{index + 1}</span>
						{step}
					</li>
				))}
			</ol>
			<div className="me">
				<p>{words.first.task}</p>
				<div className="me-f">
					<span>
						<Icon of={FileCheck} small /> {words.thread.required}
						<code>{FIRST_FILE}</code>
					</span>
					<span>{words.first.takes}</span>
				</div>
				<details className="program">
					<summary>{words.first.show}</summary>
					<pre className="code whole">{program}</pre>
				</details>
			</div>
			<div className="flex first-do">
				<button type="button" className="btn lg" disabled={!isReady} aria-busy={isSending} onClick={make}>
					{words.first.make}
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
