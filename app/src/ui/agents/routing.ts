import type { ProviderCapability, Routing } from "@xworkmate/contracts";

/** The one provider that runs a program and is not an agent. */
export const SCRIPT = "script";

/** The preselected agent: the last one used, otherwise the first available one; `script` only if it is chosen or the only one. */
export function usableRouting(providers: readonly ProviderCapability[], remembered: string | undefined): Routing | undefined {
	const there = providers.filter(({ available }) => available);
	const chosen =
		there.find(({ providerId }) => providerId === remembered) ??
		there.find(({ providerId }) => providerId !== SCRIPT) ??
		there.find(() => true);
	return chosen && routingOf(chosen);
}

export function routingOf({ target, providerId }: ProviderCapability, model?: string): Routing {
	return { executionTarget: target, providerId, ...(model !== undefined && { model }) };
}
