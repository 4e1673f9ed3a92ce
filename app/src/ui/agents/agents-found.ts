import type { ProviderCapability } from "@xworkmate/contracts";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { SCRIPT } from "./routing.ts";

export interface FoundAgents {
	/** Can be used now. */
	readonly found: readonly ProviderCapability[];
	/** Cannot, and say what helps. */
	readonly others: readonly ProviderCapability[];
}

/** Everyone who can be asked in plain words: agents and the gateway, without Script. */
export function foundAgents(providers: readonly ProviderCapability[]): FoundAgents {
	const agents = providers.filter(({ providerId }) => providerId !== SCRIPT);
	return { found: agents.filter(({ available }) => available), others: agents.filter(({ available }) => !available) };
}

/** Who can be used comes first; among those, agents before the runner of programs. */
export function usableFirst(providers: readonly ProviderCapability[]): readonly ProviderCapability[] {
	const rank = ({ providerId, available }: ProviderCapability) => (available ? (providerId === SCRIPT ? 1 : 0) : 2);
	return providers.toSorted((one, other) => rank(one) - rank(other));
}

/** True once a run has succeeded in this home, judging by its threads' newest runs and files. */
export function hasRunSucceeded(threads: readonly Pick<ThreadSummary, "artifactCount" | "lastTurn">[]): boolean {
	return threads.some(({ artifactCount, lastTurn }) => lastTurn?.status === "completed" || artifactCount > 0);
}

/** True once an agent has done something here: until then a list of agents is what helps most. */
export function hasAgentWorked(threads: readonly Pick<ThreadSummary, "providerId" | "lastTurn">[]): boolean {
	return threads.some(({ providerId, lastTurn }) => providerId !== undefined && providerId !== SCRIPT && lastTurn?.status === "completed");
}
