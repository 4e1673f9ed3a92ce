import type { ModelProvider } from "@xworkmate/contracts";
import type { Clock } from "../../../ports/clock.ts";
import type { Accounts } from "../../../ports/models/accounts.ts";
import { type ModelClient, ModelFailure } from "../../../ports/models/model-client.ts";
import type { ModelClients } from "./create-model-clients.ts";

const KNOWN_MS = 10 * 60_000;
/** How soon the list is fetched again after a failure. */
const AGAIN_MS = 60_000;
const LIST_MS = 10_000;

interface Listed {
	readonly names: readonly string[];
	readonly until: number;
}

/** The name by which users choose a model: `<provider>/<model>`. */
function modelName(provider: ModelProvider, model: string): string {
	return `${provider}/${model}`;
}

/** The models that can be offered, as they were last fetched, so that the caller never waits for a slow or unavailable server. */
export class OfferedModels {
	readonly #clients: ModelClients;
	readonly #accounts: Accounts;
	readonly #clock: Clock;
	readonly #listed = new Map<ModelProvider, Listed>();
	readonly #listing = new Map<ModelProvider, Promise<readonly string[]>>();
	readonly #closing = new AbortController();

	constructor(clients: ModelClients, accounts: Accounts, clock: Clock) {
		this.#clients = clients;
		this.#accounts = accounts;
		this.#clock = clock;
	}

	/**
	 * Returns the known models of makers with an account, the preferred maker first, without waiting for a fetch. Starts a fetch if there was
	 * none yet, or if the last one was too long ago.
	 */
	async offered(): Promise<readonly string[]> {
		const providers = await this.#accounts.providers();
		return providers.flatMap((provider) => {
			const listed = this.#listed.get(provider);
			if ((listed?.until ?? 0) <= this.#clock.now()) void this.#refresh(provider);
			return (listed?.names ?? []).map((model) => modelName(provider, model));
		});
	}

	close(): void {
		this.#closing.abort();
	}

	/** Fetches the models of a maker. Never rejects: after a failure, the known models are kept, and the list is fetched again later. */
	#refresh(provider: ModelProvider): Promise<readonly string[]> {
		const running = this.#listing.get(provider);
		if (running !== undefined) return running;
		const listing = this.#list(provider)
			.then((names) => this.#keep(provider, names, KNOWN_MS))
			.catch(() => this.#keep(provider, this.#listed.get(provider)?.names ?? [], AGAIN_MS))
			.finally(() => this.#listing.delete(provider));
		this.#listing.set(provider, listing);
		return listing;
	}

	async #list(provider: ModelProvider): Promise<readonly string[]> {
		const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(LIST_MS)]);
		const account = await this.#accounts.open(provider, "");
		// After this error, the known models are kept: there may soon be an account again, and its models will be the same.
		if ("code" in account) throw new ModelFailure("auth", account.message);
		return this.#client(provider).models(account.current.credential, signal);
	}

	#client(provider: ModelProvider): ModelClient {
		const client = this.#clients.get(provider);
		if (client === undefined) throw new ModelFailure("refused", `XWorkmate can't use models from ${provider}.`);
		return client;
	}

	#keep(provider: ModelProvider, names: readonly string[], forMs: number): readonly string[] {
		this.#listed.set(provider, { names, until: this.#clock.now() + forMs });
		return names;
	}
}
