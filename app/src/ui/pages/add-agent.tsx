import { words } from "../../strings/interface.ts";
import { AddAccountLink } from "../agents/add-account-link.tsx";
import { AgentChoice, CheckAgain, foundSay } from "../agents/agent-choice.tsx";
import { foundAgents, hasAgentWorked } from "../agents/agents-found.ts";
import { startWith } from "../composer/send-composed.ts";
import { useApp, useProviders } from "../state/app-context.tsx";

/** How to install an agent, and a button to write to one that is available. */
export function AddAgent({ title }: { readonly title: string }) {
	const { app } = useApp();
	const providers = useProviders();
	return (
		<>
			<AskAssistant />
			<section className="block" aria-label={title}>
				<h3>
					{title}
					<span className="muted normal">{foundSay(providers)}</span>
					<span className="grow" />
					<CheckAgain />
				</h3>
				<AgentChoice use={(provider) => startWith(provider, app.newDraft)} />
			</section>
		</>
	);
}

/** Without an account: what the assistant is, and where to give it one. */
function AskAssistant() {
	if (foundAgents(useProviders()).assistant === undefined) return null;
	return (
		<section className="block" aria-label={words.first.assistant}>
			<h3>{words.first.assistant}</h3>
			<p className="soft">{words.first.assistantSay}</p>
			<AddAccountLink />
		</section>
	);
}

/** Shown on Home until an agent's run has succeeded: even after the first thread, most users still lack an agent. */
export function AddFirstAgent() {
	const { app } = useApp();
	if (useProviders().length === 0 || hasAgentWorked(app.threads)) return null;
	return <AddAgent title={words.first.add} />;
}
