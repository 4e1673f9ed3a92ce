import { ContractError, type ModelProvider } from "@xworkmate/contracts";
import { type ModelClient, ModelFailure } from "../ports/models/model-client.ts";
import type { Probe } from "./test-account.ts";

/** The smallest limit that every protocol accepts. */
const OUTPUT_TOKENS = 16;

/**
 * Asks a model for one word, because listing models also works without credit. `models`: the configured ones; otherwise the first one that
 * the server lists is used.
 */
export function modelProbe(
	clients: Readonly<Partial<Record<ModelProvider, ModelClient>>>,
	models: Readonly<Partial<Record<ModelProvider, string>>>,
): Probe {
	return async ({ provider, credential }, signal) => {
		const client = clients[provider];
		if (client === undefined) throw new ContractError("METHOD_NOT_FOUND");
		const model = models[provider] ?? (await client.models(credential, signal))[0];
		if (model === undefined) throw new ModelFailure("refused", "the server lists no models");
		const request = { model, instructions: "Answer with one word.", tools: [], maxOutputTokens: OUTPUT_TOKENS };
		await client.ask({ ...request, messages: [{ role: "user", text: "Say ok." }] }, credential, () => undefined, signal);
	};
}
