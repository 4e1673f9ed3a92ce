import type { ProviderCapability, Routing } from "@xworkmate/contracts";

/** The one provider that runs a program and is not an agent. */
export const SCRIPT = "script";

/** What the user chose last. */
export interface Remembered {
	readonly providerId?: string;
	readonly model?: string | undefined;
}

/**
 * The preselected agent: the last one used, with its model if that is still offered, otherwise the first available one; `script`
 * only if it is chosen or the only one.
 */
export function usableRouting(providers: readonly ProviderCapability[], remembered: Remembered): Routing | undefined {
	const there = providers.filter(({ available }) => available);
	const last = there.find(({ providerId }) => providerId === remembered.providerId);
	if (last !== undefined) {
		const isOffered = remembered.model !== undefined && last.models?.includes(remembered.model) !== false;
		return routingOf(last, isOffered ? remembered.model : undefined);
	}
	const chosen = there.find(({ providerId }) => providerId !== SCRIPT) ?? there.find(() => true);
	return chosen && routingOf(chosen);
}

export function routingOf({ target, providerId }: ProviderCapability, model?: string): Routing {
	return { executionTarget: target, providerId, ...(model !== undefined && { model }) };
}
