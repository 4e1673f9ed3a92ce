import { type AccountsOptions, type OpenedAccounts, openAccounts } from "./auth/open-accounts.ts";
import type { BridgeConfig, ModelSettings } from "./config/config.ts";
import type { AssistantModels } from "./create-providers.ts";
import type { AccountStore } from "./ports/account-store.ts";
import type { UsableAccount } from "./ports/accounts.ts";
import { systemClock } from "./ports/clock.ts";
import { ModelFailure } from "./ports/model-client.ts";
import { createModelClients, type ModelClients } from "./providers/assistant/models/create-model-clients.ts";
import { OfferedModels } from "./providers/assistant/models/offered-models.ts";

/** The shortest request there is. */
const HELLO = {
	instructions: "Answer with one word.",
	messages: [{ role: "user", text: "Hello" }],
	tools: [],
	maxOutputTokens: 16,
} as const;

export interface Models extends Disposable {
	readonly accounts: OpenedAccounts;
	/** For the assistant. */
	readonly models: AssistantModels;
}

/** The models that the assistant asks, and the accounts that they are paid with. */
export function createModels(config: BridgeConfig, store: AccountStore, onSecrets: AccountsOptions["onSecrets"]): Models {
	const { home, environment } = config;
	const clients = createModelClients(config.models);
	const probe = probeOf(clients, config.models);
	const isOwnAddress = config.models.anthropicUrl === undefined;
	const accounts = openAccounts({ home, environment, store, clock: systemClock, isOwnAddress, probe, onSecrets });
	const offered = new OfferedModels(clients, accounts.accounts, systemClock);
	return {
		accounts,
		models: {
			accounts: accounts.accounts,
			clients: new Map([clients.anthropic, clients.openai].map((client) => [client.provider, client])),
			offered: () => offered.offered(),
		},
		[Symbol.dispose]: () => offered.close(),
	};
}

/** Asks a model for one word. @throws ModelFailure */
function probeOf(clients: ModelClients, { anthropicModel, openaiModel }: ModelSettings) {
	return async ({ provider, credential }: UsableAccount, signal: AbortSignal): Promise<void> => {
		const client = clients[provider];
		const known = provider === "anthropic" ? anthropicModel : openaiModel;
		const model = known ?? (await client.models(credential, signal))[0];
		if (model === undefined) throw new ModelFailure("refused", "the server offers no model");
		await client.ask({ model, ...HELLO }, credential, () => undefined, signal);
	};
}
