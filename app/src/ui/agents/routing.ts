import type { ProviderCapability, Routing } from "@xworkmate/contracts";

/** The only provider that is not an agent: it runs a program. */
export const SCRIPT = "script";

/** What the user last chose. */
export interface Remembered {
	readonly providerId?: string;
	readonly model?: string | undefined;
}

/**
 * The preselected agent: the last one used, with its model if the model is still offered; otherwise the first available agent. `script` is
 * preselected only if the user chose it last or nothing else is available.
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
