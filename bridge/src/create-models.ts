import { omitUndefined } from "@xworkmate/contracts";
import type { Logger } from "pino";
import { modelProbe } from "./auth/model-probe.ts";
import { type AccountsOptions, type OpenedAccounts, openAccounts } from "./auth/open-accounts.ts";
import type { BridgeConfig } from "./config/config.ts";
import type { AssistantModels } from "./create-providers.ts";
import { systemClock } from "./ports/clock.ts";
import type { AccountStore } from "./ports/models/account-store.ts";
import type { AskModel } from "./ports/models/ask-model.ts";
import { createAskOnce } from "./providers/assistant/ask-once.ts";
import { createModelClients } from "./providers/assistant/models/create-model-clients.ts";
import { OfferedModels } from "./providers/assistant/models/offered-models.ts";

export interface Models extends Disposable {
	readonly accounts: OpenedAccounts;
	/** What the assistant needs to call models. */
	readonly models: AssistantModels;
	/** Asks a model outside of any run. */
	readonly askModel: AskModel;
}

/** Creates the models that the assistant uses, and the accounts that pay for them. */
export function createModels(
	config: BridgeConfig,
	store: AccountStore,
	logger: Logger,
	told: Pick<AccountsOptions, "onSecrets" | "onUsable">,
): Models {
	const { home, environment } = config;
	const clients = createModelClients(config.models);
	const defaultModels = omitUndefined({ anthropic: config.models.anthropicModel, openai: config.models.openaiModel });
	const probe = modelProbe(Object.fromEntries(clients), defaultModels);
	const isOwnAddress = config.models.anthropicUrl === undefined;
	const onUnsaved = (error: unknown) => logger.error({ err: error }, "the state of an account could not be written");
	const accounts = openAccounts({ home, environment, store, clock: systemClock, isOwnAddress, probe, onUnsaved, ...told });
	const offered = new OfferedModels(clients, accounts.accounts, systemClock);
	const models = { accounts: accounts.accounts, clients, offered: () => offered.offered() };
	return {
		accounts,
		models,
		askModel: createAskOnce({ ...models, defaultModels }),
		[Symbol.dispose]: () => offered.close(),
	};
}
