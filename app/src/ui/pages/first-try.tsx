import type { ThreadId } from "@xworkmate/contracts";
import { type ReactNode, useState } from "react";
import { words } from "../../strings/interface.ts";
import { SCRIPT } from "../agents/routing.ts";
import { ProviderMark } from "../components/provider-mark.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { forgetPress, pressedIds } from "../composer/pressed-ids.ts";
import { type Message, sendMessage } from "../follow/sent-message.ts";
import { sayBridge } from "../notices/connection-notices.ts";
import { useApp } from "../state/app-context.tsx";
import { openToWrite } from "../state/composer-focus.ts";
import { attempt } from "../state/thread-actions.ts";

interface FirstTryProps {
	readonly label: string;
	readonly steps: readonly string[];
	readonly task: string;
	readonly facts: ReactNode;
	readonly program: string;
	/** Called when the button is pressed. */
	message(): Pick<Message, "prompt" | "require">;
	readonly press: string;
	/** True if this is the page's primary action, which gets the focus. */
	readonly isMain?: boolean;
	/** Called before the message is sent. If the call fails, the message is not sent. */
	prepare?(): Promise<void>;
	sent?(threadId: ThreadId): void;
}

/** A program that comes with XWorkmate and that the user can send with one click: its steps, its code, and the button. */
export function FirstTry({ label, steps, task, facts, program, message, press, isMain = false, prepare, sent }: FirstTryProps) {
	const { app, state } = useApp();
	const { bridge } = app;
	const [isSending, setSending] = useState(false);
	const script = bridge.capabilities?.providers.find(({ providerId }) => providerId === SCRIPT);
	// The capabilities are kept while the app or the bridge is unreachable, so the connection is checked too.
	const isReady = script?.available === true && state === "live" && bridge.state === "connected" && bridge.trouble === undefined;
	const problem = state === "live" ? sayBridge(bridge) : undefined;
	const isConnecting = state !== "live" || bridge.state !== "connected" || bridge.capabilities === undefined;
	const word = isReady ? words.first.ready : (problem ?? (isConnecting ? words.first.notReady : words.first.unavailable));
	const chip = isReady ? "succeeded" : problem !== undefined ? "no_connection" : isConnecting ? "sending" : "cancelled";
	const name = script?.label ?? words.first.script;
	const begin = () => {
		if (script === undefined || isSending) return;
		setSending(true);
		void attempt(async () => {
			await prepare?.();
			const request = { ...message(), routing: { executionTarget: script.target, providerId: script.providerId } };
			const { threadId } = await sendMessage({ ...request, ...pressedIds(label, request) });
			forgetPress(label);
			sent?.(threadId);
			openToWrite(threadId);
		}).finally(() => setSending(false));
	};
	return (
		<section className="start" aria-label={label}>
			<ol className="steps">
				{steps.map((step, index) => (
					<li key={step}>
						<span className="stepn">{index + 1}</span>
						{step}
					</li>
				))}
			</ol>
			<div className="me">
				<p>{task}</p>
				<div className="me-f">{facts}</div>
				<details className="program">
					<summary>{words.first.show}</summary>
					<pre className="code whole">{program}</pre>
				</details>
			</div>
			<div className="flex first-do">
				<button
					type="button"
					className={`btn lg ${isMain ? "pri" : ""}`}
					disabled={!isReady}
					aria-busy={isSending}
					onClick={begin}
					// biome-ignore lint/a11y/noAutofocus: this button is the page's main action, and Enter presses it
					autoFocus={isMain}
				>
					{press}
					{isMain && <kbd className="hide-n">Enter</kbd>}
				</button>
				<span className="flex muted">
					<ProviderMark name={name} />
					{name}
					<StateChip state={chip} word={word} look="word" />
				</span>
			</div>
		</section>
	);
}
