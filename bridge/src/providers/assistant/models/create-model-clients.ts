import type { ModelProvider } from "@xworkmate/contracts";
import type { ModelClient } from "../../../ports/models/model-client.ts";
import { AnthropicClient } from "./anthropic/anthropic-client.ts";
import { OpenAiClient } from "./openai/openai-client.ts";

/** How models are reached, according to the settings. */
export interface ModelClientSettings {
	readonly anthropicUrl?: string;
	readonly anthropicModel?: string;
	readonly openaiUrl?: string;
	readonly openaiModel?: string;
	readonly openaiWire: "chat" | "responses";
}

export type ModelClients = ReadonlyMap<ModelProvider, ModelClient>;

/** Creates a client for each maker. Its SDK is loaded with the first request. */
export function createModelClients(settings: ModelClientSettings): ModelClients {
	const { anthropicUrl, anthropicModel, openaiUrl, openaiModel, openaiWire: wire } = settings;
	const clients = [
		new AnthropicClient(chosen(anthropicUrl, anthropicModel)),
		new OpenAiClient({ ...chosen(openaiUrl, openaiModel), wire }),
	];
	return new Map(clients.map((client) => [client.provider, client]));
}

function chosen(url: string | undefined, model: string | undefined): { readonly url?: string; readonly model?: string } {
	return { ...(url === undefined ? {} : { url }), ...(model === undefined ? {} : { model }) };
}
