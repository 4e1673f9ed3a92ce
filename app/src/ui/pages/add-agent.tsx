import { words } from "../../strings/interface.ts";
import { AgentChoice, CheckAgain, foundSay } from "../agents/agent-choice.tsx";
import { hasAgentWorked } from "../agents/agents-found.ts";
import { startWith } from "../composer/send-composed.ts";
import { useApp, useProviders } from "../state/app-context.tsx";

/** How to get an agent, and a press to write to one that is there. */
export function AddAgent({ title }: { readonly title: string }) {
	const { app } = useApp();
	const providers = useProviders();
	return (
		<section className="block" aria-label={title}>
			<h3>
				{title}
				<span className="muted normal">{foundSay(providers)}</span>
				<span className="grow" />
				<CheckAgain />
			</h3>
			<AgentChoice use={(provider) => startWith(provider, app.newDraft)} />
		</section>
	);
}

/** On Home until one agent has worked: after the first thread too, an agent is what most people still lack. */
export function AddFirstAgent() {
	const { app } = useApp();
	if (useProviders().length === 0 || hasAgentWorked(app.threads)) return null;
	return <AddAgent title={words.first.add} />;
}
