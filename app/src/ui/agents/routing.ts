import type { ProviderCapability, Routing } from "@xworkmate/contracts";

/** The one provider that is a program's runner, not an agent. */
export const SCRIPT = "script";

/** Whom to ask first: who was asked last, else the first agent that is there; `script` only when it is chosen or alone. */
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
