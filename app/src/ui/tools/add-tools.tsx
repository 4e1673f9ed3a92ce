import type { Integration } from "@xworkmate/contracts";
import { useState } from "react";
import { toolsPageWords as words } from "../../strings/calls/tools-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { callApp } from "../connection/call-app.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";

const EXAMPLES = ["calendar", "github", "posthog"] as const;
const LONGEST_NAME = 64;

interface AddToolsProps {
	readonly integrations: readonly Integration[];
	added(integration: Integration): void;
}

/** Examples that are not installed yet, and a form that creates a new integration. */
export function AddTools({ integrations, added }: AddToolsProps) {
	const [adding, setAdding] = useState<string>();
	const [name, setName] = useState("");
	const isEmpty = integrations.length === 0;
	const left = EXAMPLES.filter((example) => integrations.every(({ integration }) => integration !== example));
	const make = (of: string, act: () => Promise<Integration>) => {
		setAdding(of);
		void attempt(async () => {
			const integration = await act();
			added(integration);
			say(fill(words.added[integration.state], { name: integration.integration }));
		}).finally(() => setAdding(undefined));
	};
	const isValid = /^[a-z][A-Za-z0-9]*$/.test(name);
	return (
		<section className="block" aria-label={isEmpty ? words.empty : words.addMore}>
			<h2>{isEmpty ? words.empty : words.addMore}</h2>
			<p className="soft">{isEmpty ? words.emptySay : words.addSay}</p>
			{left.length > 0 && (
				<p className="flex add-tools">
					{left.map((example, index) => (
						<button
							type="button"
							key={example}
							className={`btn lg ${isEmpty && index === 0 ? "pri" : ""}`}
							disabled={adding !== undefined}
							onClick={() => make(example, () => callApp("addTools", { example }))}
						>
							{adding === example ? words.adding : fill(words.add, { name: example })}
						</button>
					))}
				</p>
			)}
			<form
				className="new-tool"
				onSubmit={(event) => {
					event.preventDefault();
					if (isValid && adding === undefined) make("", () => callApp("newTools", { integration: name }).finally(() => setName("")));
				}}
			>
				<h3>{words.fresh}</h3>
				<p className="muted small">{words.freshSay}</p>
				<label className="field">
					<span className="muted small">
						{words.freshName}. {words.freshHint}
					</span>
					<input
						value={name}
						maxLength={LONGEST_NAME}
						spellCheck={false}
						autoComplete="off"
						onChange={(event) => setName(event.target.value)}
					/>
				</label>
				<button type="submit" className="btn" disabled={!isValid || adding !== undefined}>
					{words.freshDo}
				</button>
			</form>
		</section>
	);
}
