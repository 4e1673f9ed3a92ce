import type { Anthropic } from "@anthropic-ai/sdk";
import type { ModelClient, ModelCredential, ModelReply, ModelRequest } from "../../../../ports/models/model-client.ts";
import { ModelFailure } from "../../../../ports/models/model-client.ts";
import { Exchange, type ExchangeBounds } from "../exchange/exchange.ts";
import { textsOf } from "../exchange/model-events.ts";
import { modelNames } from "../exchange/model-names.ts";
import { ReplyDraft } from "../exchange/reply-draft.ts";
import { takeAnthropicEvents } from "./anthropic-events.ts";
import { anthropicRequest } from "./anthropic-request.ts";

const ANTHROPIC = "https://api.anthropic.com";

export interface AnthropicOptions {
	readonly url?: string;
	/** The model to use, if one is configured. */
	readonly model?: string;
	readonly bounds?: ExchangeBounds;
}

/** Talks to Claude through Anthropic's SDK. The SDK identifies itself; no other client is imitated. */
export class AnthropicClient implements ModelClient {
	readonly provider = "anthropic";
	readonly #options: AnthropicOptions;

	constructor(options: AnthropicOptions) {
		this.#options = options;
	}

	async ask(request: ModelRequest, credential: ModelCredential, onText: (text: string) => void, signal: AbortSignal): Promise<ModelReply> {
		using exchange = this.#exchange(credential, signal);
		const draft = new ReplyDraft();
		const open = async () => {
			const sdk = await this.#sdk(credential, exchange);
			return sdk.messages.create(anthropicRequest(request), { signal: exchange.signal });
		};
		for await (const text of textsOf(exchange, open, takeAnthropicEvents(draft))) onText(text);
		if (!draft.isWhole) throw new ModelFailure("broken", "The answer was cut off.");
		return draft.reply();
	}

	async models(credential: ModelCredential, signal: AbortSignal): Promise<readonly string[]> {
		using exchange = this.#exchange(credential, signal);
		try {
			const sdk = await this.#sdk(credential, exchange);
			const { data } = await sdk.models.list({ limit: 100 }, { signal: exchange.signal });
			exchange.check();
			const newestFirst = [...data].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
			return modelNames(
				newestFirst.map(({ id }) => id),
				this.#options.model,
			);
		} catch (error) {
			throw exchange.reasonOf(error);
		}
	}

	#exchange({ secret }: ModelCredential, signal: AbortSignal): Exchange {
		const { bounds } = this.#options;
		return new Exchange({ secret, signal, ...(bounds === undefined ? {} : { bounds }) });
	}

	/**
	 * Explicitly sets every option that the SDK would otherwise take from the environment or the disk. The SDK also adds the headers in
	 * ANTHROPIC_CUSTOM_HEADERS, most of which `Exchange` drops.
	 */
	async #sdk({ type, secret }: ModelCredential, { fetch }: Exchange): Promise<Anthropic> {
		const { Anthropic } = await import("@anthropic-ai/sdk");
		return new Anthropic({
			...(type === "token" ? { credentials: async () => ({ token: secret, expiresAt: null }) } : { apiKey: secret }),
			baseURL: this.#options.url ?? ANTHROPIC,
			webhookKey: null,
			maxRetries: 0,
			// The SDK's log would contain what the model says.
			logLevel: "off",
			openTelemetry: false,
			fetch,
		});
	}
}
