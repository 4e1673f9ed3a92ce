import type { ProviderCapability } from "@xworkmate/contracts";
import type { Provider } from "../providers/provider.ts";

/** What the providers can do now, in their order. A provider that cannot say is unavailable, and the others are listed. */
function describeProviders(providers: readonly Provider[]): Promise<ProviderCapability[]> {
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

const FRESH_MS = 1_000;

/** The providers of this bridge. Remembers for a second what they can do: every call asks. */
export class ProviderCatalogue {
	readonly #providers: readonly Provider[];
	#described: { readonly at: number; readonly answer: Promise<readonly ProviderCapability[]> } | undefined;

	constructor(providers: Iterable<Provider>) {
		this.#providers = [...providers];
	}

	describe(): Promise<readonly ProviderCapability[]> {
		const now = performance.now();
		if (this.#described === undefined || now - this.#described.at > FRESH_MS) {
			this.#described = { at: now, answer: describeProviders(this.#providers) };
		}
		return this.#described.answer;
	}
}
