import type { ModelProvider } from "@xworkmate/contracts";
import type { Accounts } from "../../ports/models/accounts.ts";
import { type AskModel, ModelUnavailable } from "../../ports/models/ask-model.ts";
import type { ModelClient } from "../../ports/models/model-client.ts";
import { ModelAsker } from "./turn/model-asker.ts";

const ANSWER_MS = 60_000;

export interface AskOnceDeps {
	readonly accounts: Accounts;
	readonly clients: ReadonlyMap<ModelProvider, ModelClient>;
	readonly defaultModels: Partial<Readonly<Record<ModelProvider, string>>>;
	/** The known models, as `<provider>/<model>`. Resolves without waiting for a server. */
	readonly offered: () => Promise<readonly string[]>;
	readonly answerMs?: number;
}

/** Asks the assistant's model outside of any run, with the assistant's accounts. */
export function createAskOnce(deps: AskOnceDeps): AskModel {
	return async (request) => {
		const signal = AbortSignal.timeout(deps.answerMs ?? ANSWER_MS);
		const problem = await deps.accounts.problem();
		if (problem !== undefined) throw new ModelUnavailable(problem.message, problem.fix);
		const [provider] = await deps.accounts.providers();
		const client = provider === undefined ? undefined : deps.clients.get(provider);
		if (provider === undefined || client === undefined) {
			throw new ModelUnavailable("The assistant has no account yet.", "Add one: `npm run -s xworkmate -- auth anthropic setup-token`.");
		}
		try {
			const model =
				deps.defaultModels[provider] ?? (await knownModel(deps, provider)) ?? (await firstModel(deps, client, provider, signal));
			const asked = await (await askerOf(deps, client, provider, model)).ask({ ...request, model }, () => () => undefined, signal);
			if (asked.kind === "failed") throw new ModelUnavailable(asked.message);
			return asked.reply;
		} catch (error) {
			if (signal.aborted) throw new ModelUnavailable("The model did not answer in time.");
			throw error;
		}
	};
}

async function knownModel({ offered }: AskOnceDeps, provider: ModelProvider): Promise<string | undefined> {
	const first = (await offered()).find((name) => name.startsWith(`${provider}/`));
	return first?.slice(provider.length + 1);
}

async function firstModel(deps: AskOnceDeps, client: ModelClient, provider: ModelProvider, signal: AbortSignal): Promise<string> {
	const first = await (await askerOf(deps, client, provider, "")).firstModel(signal);
	if (typeof first === "string") return first;
	throw new ModelUnavailable(first.message);
}

async function askerOf({ accounts }: AskOnceDeps, client: ModelClient, provider: ModelProvider, model: string): Promise<ModelAsker> {
	const opened = await accounts.open(provider, model);
	if ("code" in opened) throw new ModelUnavailable(opened.message);
	return new ModelAsker(client, opened, () => undefined);
}
