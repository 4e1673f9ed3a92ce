import type { ProviderCapability } from "@xworkmate/contracts";
import { providersFile } from "@xworkmate/contracts/providers-file";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { ASSISTANT } from "../../strings/codes.ts";
import { SCRIPT } from "./routing.ts";

export interface FoundAgents {
	/** The agents that are available now, the assistant first. */
	readonly found: readonly ProviderCapability[];
	/** The agents that are not available, except the assistant, each with its fix. */
	readonly others: readonly ProviderCapability[];
	/**
	 * The assistant, which is part of the bridge, so that nothing has to be installed. If the assistant is not available, it has no account,
	 * or the file of accounts can't be used.
	 */
	readonly assistant?: ProviderCapability;
}

/**
 * All agents that understand plain language, which includes the gateway but not Script. A faulty providers.json is listed among the
 * providers under its own name, but is not an agent.
 */
export function foundAgents(providers: readonly ProviderCapability[]): FoundAgents {
	const agents = providers.filter(({ providerId }) => providerId !== SCRIPT && providerId !== providersFile);
	const others = agents.filter(({ available }) => !available);
	const assistant = agents.find(isAssistant);
	const found = agents.filter(({ available }) => available);
	return {
		found: [...found.filter(isAssistant), ...found.filter((provider) => !isAssistant(provider))],
		others: others.filter((provider) => !isAssistant(provider)),
		...(assistant && { assistant }),
	};
}

function isAssistant({ providerId }: ProviderCapability): boolean {
	return providerId === ASSISTANT;
}

/** Available providers first; among those, agents before Script. */
export function usableFirst(providers: readonly ProviderCapability[]): readonly ProviderCapability[] {
	const rank = ({ providerId, available }: ProviderCapability) => (available ? (providerId === SCRIPT ? 1 : 0) : 2);
	return providers.toSorted((one, other) => rank(one) - rank(other));
}

/** True if a run has succeeded in this home, judging by the newest runs and the files of its threads. */
export function hasRunSucceeded(threads: readonly Pick<ThreadSummary, "artifactCount" | "lastTurn">[]): boolean {
	return threads.some(({ artifactCount, lastTurn }) => lastTurn?.status === "completed" || artifactCount > 0);
}

/**
 * True if the newest run of a thread succeeded and the thread's provider isn't Script. Until then, what a user needs most is a list of
 * agents.
 */
export function hasAgentWorked(threads: readonly Pick<ThreadSummary, "providerId" | "lastTurn">[]): boolean {
	return threads.some(({ providerId, lastTurn }) => providerId !== undefined && providerId !== SCRIPT && lastTurn?.status === "completed");
}
