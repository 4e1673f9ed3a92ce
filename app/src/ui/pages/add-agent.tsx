import { words } from "../../strings/interface.ts";
import { AddAccountLink } from "../agents/add-account-link.tsx";
import { AgentChoice, CheckAgain, foundSay } from "../agents/agent-choice.tsx";
import { foundAgents, hasAgentWorked } from "../agents/agents-found.ts";
import { startWith } from "../composer/send-composed.ts";
import { useApp, useProviders } from "../state/app-context.tsx";

interface AddAgentProps {
	readonly title: string;
	/** True if another part of the page already suggests the assistant. */
	readonly withoutAssistant?: boolean;
}

/** How to install an agent, and a button to write to an agent that is available. */
export function AddAgent({ title, withoutAssistant = false }: AddAgentProps) {
	const { app } = useApp();
	const providers = useProviders();
	return (
		<>
			{!withoutAssistant && <AskAssistant />}
			<section className="block" aria-label={title}>
				<h3>
					{title}
					<span className="muted normal">{foundSay(providers)}</span>
					<span className="grow" />
					<CheckAgain />
				</h3>
				<AgentChoice withoutAssistant use={(provider) => startWith(provider, app.newDraft)} />
			</section>
		</>
	);
}

/** What the assistant is, with a button to write to it or, if it has no account, a link to the page where one is added. */
export function AskAssistant() {
	const { app } = useApp();
	const { assistant } = foundAgents(useProviders());
	if (assistant === undefined) return null;
	const { available, failedRun } = assistant;
	return (
		<section className="block" aria-label={words.first.assistant}>
			<h3>{words.first.assistant}</h3>
			<p className="soft">{words.first[!available ? "assistantSay" : failedRun === undefined ? "assistantSetUp" : "assistantFailed"]}</p>
			{available && failedRun !== undefined && <p className="note bad">{`${failedRun.problem.message} ${failedRun.problem.fix}`}</p>}
			{available ? (
				<div className="flex first-do">
					<button type="button" className={`btn lg ${failedRun ? "" : "pri"}`} onClick={() => startWith(assistant, app.newDraft)}>
						{words.first.write}
					</button>
				</div>
			) : (
				<AddAccountLink />
			)}
		</section>
	);
}

/** True if the assistant has an account that has not made a run fail since it last worked, so that the assistant is the first thing to try. */
export function useUsableAssistant(): boolean {
	const { assistant } = foundAgents(useProviders());
	return assistant?.available === true && assistant.failedRun === undefined;
}

/** Shown on Home until an agent's run has succeeded, because even after the first thread, most users still have no agent. */
export function AddFirstAgent() {
	const { app } = useApp();
	if (useProviders().length === 0 || hasAgentWorked(app.threads)) return null;
	return <AddAgent title={words.first.add} />;
}
