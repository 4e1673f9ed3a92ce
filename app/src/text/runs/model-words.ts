import type { Routing, Snapshot } from "@xworkmate/contracts";

interface ModelOf {
	readonly snapshot?: Pick<Snapshot, "provider" | "status" | "output" | "activity"> | undefined;
	readonly request: { readonly routing: Pick<Routing, "model"> };
	/** True if the agent is known to have said or done something in the run. */
	readonly hasWorked: boolean;
}

/**
 * The model of a turn. An agent gets its message only once it has accepted the chosen model; otherwise, the run fails first. Until the
 * agent has said or done something, the model is therefore shown as chosen only. Undefined if no model was chosen.
 */
export function modelWords({ snapshot, request, hasWorked }: ModelOf, shown: (name: string) => string): string | undefined {
	const model = snapshot?.provider.model ?? request.routing.model;
	if (model === undefined) return undefined;
	const isUsed = hasWorked || snapshot?.status === "completed" || (snapshot?.output?.text ?? "") !== "" || snapshot?.activity !== undefined;
	return isUsed ? shown(model) : `${shown(model)} (chosen)`;
}
