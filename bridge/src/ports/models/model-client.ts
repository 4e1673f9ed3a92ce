import type { ModelProvider } from "@xworkmate/contracts";

/** A part of a model's reply. `input`: untrusted, of any shape. `unreadable`: the input was not JSON, and is passed on as text. */
export type ModelPart =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "call"; readonly callId: string; readonly tool: string; readonly input: unknown; readonly unreadable?: true };

export type ModelMessage =
	| { readonly role: "user"; readonly text: string }
	| { readonly role: "assistant"; readonly parts: readonly ModelPart[] }
	/** Answers to the calls of the previous message. */
	| { readonly role: "tools"; readonly results: readonly { readonly callId: string; readonly text: string; readonly isError: boolean }[] };

export interface ModelTool {
	readonly name: string;
	readonly description: string;
	/** The JSON Schema of an object. */
	readonly input: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
	readonly model: string;
	readonly instructions: string;
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly ModelTool[];
	/** The tool that the model has to call. If absent, the model chooses. */
	readonly mustCall?: string;
	readonly maxOutputTokens: number;
}

/** `length`: the reply was cut off at the limit. `refused`: the model declined. */
export interface ModelReply {
	readonly parts: readonly ModelPart[];
	readonly stop: "ended" | "calls" | "length" | "refused";
	readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number };
}

/**
 * `rate_limited`, `auth` and `billing` are the account's fault. `overloaded` and `network` are temporary. `broken`: the answer was cut off
 * or invalid. `refused`: the server rejects the request, regardless of the account.
 */
export type ModelFailureKind = "rate_limited" | "auth" | "billing" | "overloaded" | "network" | "broken" | "refused";

/** A request that got no complete response. The message contains no secret. */
export class ModelFailure extends Error {
	override readonly name = "ModelFailure";
	readonly kind: ModelFailureKind;
	/** The wait that the server asks for: untrusted, and possibly very long. */
	readonly retryAfterMs: number | undefined;

	constructor(kind: ModelFailureKind, message: string, retryAfterMs?: number) {
		super(message);
		this.kind = kind;
		this.retryAfterMs = retryAfterMs;
	}
}

/** A secret, and how to send it. `none`: the server needs no secret. */
export interface ModelCredential {
	readonly type: "api_key" | "token" | "none";
	readonly secret: string;
}

/** One protocol for talking to models. The loop, the tools and the checks are the same for all of them. */
export interface ModelClient {
	readonly provider: ModelProvider;
	/**
	 * Streams a reply: `onText` gets its text as it arrives. Makes one attempt.
	 * @throws ModelFailure; the signal's reason if it was aborted
	 */
	ask(request: ModelRequest, credential: ModelCredential, onText: (text: string) => void, signal: AbortSignal): Promise<ModelReply>;
	/**
	 * The names of the models that the server offers, the preferred one first.
	 * @throws ModelFailure; the signal's reason if it was aborted
	 */
	models(credential: ModelCredential, signal: AbortSignal): Promise<readonly string[]>;
}
