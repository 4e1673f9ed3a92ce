import type { Agent } from "@xworkmate/contracts";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { agentsPageWords as words } from "../../strings/agents/agents-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { attempt } from "../state/thread-actions.ts";
import { visibleName } from "../text/visible-text.ts";
import { SignInDialog } from "./sign-in-dialog.tsx";

interface SignInPressProps {
	readonly agent: Agent;
	put(agent: Agent): void;
	/** Called once the agent works with the variables that were saved. */
	ready(): void;
}

/**
 * Shown where the user chooses an agent that is not signed in. One click opens the form for what the agent needs; once the saved variables
 * work, the agent is chosen.
 */
export function SignInPress({ agent, put, ready }: SignInPressProps) {
	const { agentId } = agent;
	const [isOpen, setOpen] = useState(false);
	const test = async (): Promise<Agent | undefined> => {
		let tested: Agent | undefined;
		await attempt(async () => {
			tested = await callApp("testAgent", { agentId });
			put(tested);
		});
		return tested;
	};
	const cancel = () => void attempt(async () => put(await callApp("cancelAgent", { agentId })));
	return (
		<>
			<button
				type="button"
				className="btn pri"
				aria-label={fill(words.signInOf, { agent: visibleName(agent.name) })}
				onClick={() => setOpen(true)}
			>
				<Icon of={KeyRound} />
				{words.signIn}
			</button>
			{isOpen && <SignInDialog {...{ agent, put, test, cancel, ready }} close={() => setOpen(false)} />}
		</>
	);
}
