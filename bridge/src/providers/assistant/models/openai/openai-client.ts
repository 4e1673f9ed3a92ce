import type { OpenAI } from "openai";
import type { ModelClient, ModelCredential, ModelReply, ModelRequest } from "../../../../ports/models/model-client.ts";
import { ModelFailure } from "../../../../ports/models/model-client.ts";
import { Exchange, type ExchangeBounds } from "../exchange/exchange.ts";
import { type TakeEvent, textsOf } from "../exchange/model-events.ts";
import { modelNames } from "../exchange/model-names.ts";
import { ReplyDraft } from "../exchange/reply-draft.ts";
import { takeChatChunks } from "./chat-events.ts";
import { chatRequest } from "./chat-request.ts";
import { takeResponseEvents } from "./responses-events.ts";
import { responsesRequest } from "./responses-request.ts";

const OPENAI = "https://api.openai.com/v1";

export interface OpenAiOptions {
	/** The address of a server that speaks OpenAI's protocol. Default: OpenAI's own server. */
	readonly url?: string;
	/** The model to use, if one is configured. */
	readonly model?: string;
	readonly wire: "chat" | "responses";
	readonly bounds?: ExchangeBounds;
}

type Send = (sdk: OpenAI, request: ModelRequest, signal: AbortSignal) => Promise<AsyncIterable<unknown>>;

/** Talks to any server that speaks OpenAI's chat completions or responses, through OpenAI's SDK. */
export class OpenAiClient implements ModelClient {
	readonly provider = "openai";
	readonly #options: OpenAiOptions;
	readonly #url: string;
	readonly #send: Send;
	readonly #taking: (draft: ReplyDraft) => TakeEvent;

	constructor(options: OpenAiOptions) {
		this.#options = options;
		this.#url = options.url ?? OPENAI;
		const isOpenAi = new URL(this.#url).host === new URL(OPENAI).host;
		const isChat = options.wire === "chat";
		this.#taking = isChat ? takeChatChunks : takeResponseEvents;
		this.#send = isChat
			? async (sdk, request, signal) => sdk.chat.completions.create(chatRequest(request, isOpenAi), { signal })
			: async (sdk, request, signal) => sdk.responses.create(responsesRequest(request), { signal });
	}

	async ask(request: ModelRequest, credential: ModelCredential, onText: (text: string) => void, signal: AbortSignal): Promise<ModelReply> {
		using exchange = this.#exchange(credential, signal, true);
		const draft = new ReplyDraft();
		const open = async () => this.#send(await this.#sdk(exchange), request, exchange.signal);
		for await (const text of textsOf(exchange, open, this.#taking(draft))) onText(text);
		// Some servers give no reason for the end of a reply, but all mark the end in some way.
		if (!draft.isWhole && !exchange.sawDone) throw new ModelFailure("broken", "The answer was cut off.");
		return draft.reply();
	}

	/** Lists the models. A server without a list has at least the configured model. */
	async models(credential: ModelCredential, signal: AbortSignal): Promise<readonly string[]> {
		using exchange = this.#exchange(credential, signal, false);
		const { model } = this.#options;
		try {
			const sdk = await this.#sdk(exchange);
			const { data } = await sdk.models.list({ signal: exchange.signal });
			exchange.check();
			return modelNames(
				data.map(({ id }) => id),
				model,
			);
		} catch (error) {
			const reason = exchange.reasonOf(error);
			if (model !== undefined && reason instanceof ModelFailure && reason.kind === "refused") return [model];
			throw reason;
		}
	}

	#exchange({ secret, type }: ModelCredential, signal: AbortSignal, takesOneDocument: boolean): Exchange {
		const { bounds } = this.#options;
		return new Exchange({ secret: type === "none" ? "" : secret, signal, takesOneDocument, ...(bounds === undefined ? {} : { bounds }) });
	}

	/**
	 * Explicitly sets every option that the SDK would otherwise take from the environment. The SDK also adds the headers in
	 * OPENAI_CUSTOM_HEADERS, most of which `Exchange` drops. The exchange sends the credential, if there is one.
	 */
	async #sdk({ fetch }: Exchange): Promise<OpenAI> {
		const { OpenAI } = await import("openai");
		return new OpenAI({
			apiKey: "sent-by-the-exchange",
			adminAPIKey: null,
			organization: null,
			project: null,
			webhookSecret: null,
			baseURL: this.#url,
			maxRetries: 0,
			// The SDK's log would contain what the model says.
			logLevel: "off",
			fetch,
		});
	}
}
