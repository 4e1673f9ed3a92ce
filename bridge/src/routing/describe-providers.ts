import type { ProviderCapability } from "@xworkmate/contracts";
import type { Provider } from "../providers/provider.ts";

/** What the providers can do now, in their order. A provider that cannot say is unavailable, and the others are listed. */
export function describeProviders(providers: readonly Provider[]): Promise<ProviderCapability[]> {
	return Promise.all(providers.map(describe));
}

async function describe(provider: Provider): Promise<ProviderCapability> {
	const { providerId, label, target, features } = provider;
	const answer = await provider.availability().catch((error: unknown) => ({
		available: false as const,
		unavailable: {
			code: "AVAILABILITY_UNKNOWN",
			message: error instanceof Error ? error.message : String(error),
			fix: "The bridge's log has the cause.",
		},
	}));
	const base = { providerId, label, target, available: answer.available, features };
	if (!answer.available) return { ...base, unavailable: answer.unavailable };
	return { ...base, ...(answer.models === undefined ? {} : { models: [...answer.models] }) };
}
