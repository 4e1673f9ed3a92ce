import type { ProviderCapability } from "@xworkmate/contracts";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { AgentList } from "./agent-list.tsx";
import { foundAgents } from "./agents-found.ts";
import { InstallOffer, SignInOffer } from "./install-offer.tsx";
import { useAgents } from "./use-agents.ts";

interface AgentChoiceProps {
	/** True if the assistant is offered elsewhere on the page. */
	readonly withoutAssistant?: boolean;
	use(provider: ProviderCapability): void;
}

/** A choice of agents: first the available ones, each with a button; then the others, each with its fix or a button to install it. */
export function AgentChoice({ withoutAssistant = false, use }: AgentChoiceProps) {
	const { found: all, others, assistant } = foundAgents(useProviders());
	const found = withoutAssistant ? all.filter((provider) => provider !== assistant) : all;
	return (
		<div className="agent-choice">
			{found.length > 0 && <FoundAgents providers={found} use={use} />}
			{others.length > 0 && (
				<details className="installable" open={found.length === 0}>
					<summary>{found.length === 0 ? words.first.install : words.first.installMore}</summary>
					<MissingAgents providers={others} />
				</details>
			)}
		</div>
	);
}

/**
 * The available agents. An agent that is not signed in has a sign-in button instead of the choose button, and is chosen once the saved
 * variables work.
 */
function FoundAgents({ providers, use }: Pick<AgentChoiceProps, "use"> & { readonly providers: readonly ProviderCapability[] }) {
	const { answer, put } = useAgents();
	const first = (provider: ProviderCapability) => {
		const agent = answer?.agents.find(
			({ agentId, state, signIn }) => agentId === provider.providerId && state === "needs_sign_in" && signIn.length > 0,
		);
		return agent && <SignInOffer agent={agent} put={put} ready={() => use(provider)} />;
	};
	return <AgentList providers={providers} use={use} first={first} />;
}

function MissingAgents({ providers }: { readonly providers: readonly ProviderCapability[] }) {
	const { answer, put } = useAgents();
	const offer = ({ providerId }: ProviderCapability) => {
		const agent = answer?.agents.find(({ agentId, canInstall }) => agentId === providerId && canInstall);
		return agent && <InstallOffer agent={agent} put={put} />;
	};
	return <AgentList providers={providers} offer={offer} />;
}

/** Asks the bridge which agents are available now, for example after one was installed. */
export function CheckAgain() {
	const { announce } = useApp();
	const [isChecking, setChecking] = useState(false);
	const check = async () => {
		setChecking(true);
		await attempt(async () => {
			const { capabilities } = await callApp("testBridge", {});
			if (capabilities !== undefined) announce(foundSay(capabilities.providers));
		});
		setChecking(false);
	};
	return (
		<button type="button" className="btn quiet" aria-busy={isChecking} onClick={() => void check()}>
			<Icon of={RotateCcw} />
			{isChecking ? words.first.checking : words.first.again}
		</button>
	);
}

/** Says how many agents were found. Empty until the bridge has searched. */
export function foundSay(providers: readonly ProviderCapability[]): string {
	if (providers.length === 0) return "";
	const { found, assistant } = foundAgents(providers);
	// The assistant is part of XWorkmate, and the gateway may be elsewhere, so neither is counted among the agents found on the bridge's
	// computer.
	const count = found.filter((provider) => provider !== assistant && provider.target === "agent").length;
	return count === 0 ? words.first.none : fill(words.first.found, { count });
}
