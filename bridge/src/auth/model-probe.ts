import { ContractError, type ModelProvider } from "@xworkmate/contracts";
import { type ModelClient, ModelFailure } from "../ports/model-client.ts";
import type { Probe } from "./test-account.ts";

/** The smallest that every wire takes. */
const OUTPUT_TOKENS = 16;

/**
 * Asks a model for a word, because who may list models may still be without credit. `models`: the configured ones; otherwise the first that
 * the server lists.
 */
export function modelProbe(
	clients: Readonly<Partial<Record<ModelProvider, ModelClient>>>,
	models: Readonly<Partial<Record<ModelProvider, string>>>,
): Probe {
	return async ({ provider, credential }, signal) => {
		const client = clients[provider];
		if (client === undefined) throw new ContractError("METHOD_NOT_FOUND");
		const model = models[provider] ?? (await client.models(credential, signal))[0];
		if (model === undefined) throw new ModelFailure("refused", "the server lists no model");
		const request = { model, instructions: "Answer with one word.", tools: [], maxOutputTokens: OUTPUT_TOKENS };
		await client.ask({ ...request, messages: [{ role: "user", text: "Say ok." }] }, credential, () => undefined, signal);
	};
}
