import type { ModelProvider } from "@xworkmate/contracts";

/** A part of what a model said. `input`: untrusted, of any shape; `unreadable`: it was no JSON, so it is its text. */
export type ModelPart =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "call"; readonly callId: string; readonly tool: string; readonly input: unknown; readonly unreadable?: true };

export type ModelMessage =
	| { readonly role: "user"; readonly text: string }
	| { readonly role: "assistant"; readonly parts: readonly ModelPart[] }
	/** Answers to the calls of the message before. */
	| { readonly role: "tools"; readonly results: readonly { readonly callId: string; readonly text: string; readonly isError: boolean }[] };

export interface ModelTool {
	readonly name: string;
	readonly description: string;
	/** JSON Schema of an object. */
	readonly input: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
	readonly model: string;
	readonly instructions: string;
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly ModelTool[];
	/** The one of the tools that it has to call; absent: it chooses. */
	readonly mustCall?: string;
	readonly maxOutputTokens: number;
}

/** `length`: it was cut off at the bound. `refused`: the model declines. */
export interface ModelReply {
	readonly parts: readonly ModelPart[];
	readonly stop: "ended" | "calls" | "length" | "refused";
	readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number };
}

/**
 * `rate_limited`, `auth` and `billing` are the account's fault; `overloaded` and `network` pass; `broken`: the answer was cut off or is
 * not one. `refused`: the server does not take the request, whatever the account.
 */
export type ModelFailureKind = "rate_limited" | "auth" | "billing" | "overloaded" | "network" | "broken" | "refused";

/** A request that got no whole answer. Its message contains no secret. */
export class ModelFailure extends Error {
	override readonly name = "ModelFailure";
	readonly kind: ModelFailureKind;
	/** As the server says: untrusted, and possibly very large. */
	readonly retryAfterMs: number | undefined;

	constructor(kind: ModelFailureKind, message: string, retryAfterMs?: number) {
		super(message);
		this.kind = kind;
		this.retryAfterMs = retryAfterMs;
	}
}

/** A secret, and how it is sent. `none`: a server that needs none. */
export interface ModelCredential {
	readonly type: "api_key" | "token" | "none";
	readonly secret: string;
}

/** One way to talk to models. The loop, the tools and the checks are the same for all. */
export interface ModelClient {
	readonly provider: ModelProvider;
	/** Streams a reply: `onText` gets its text as it comes. One attempt. @throws ModelFailure; the signal's reason if it was aborted */
	ask(request: ModelRequest, credential: ModelCredential, onText: (text: string) => void, signal: AbortSignal): Promise<ModelReply>;
	/** The names of the models that the server offers, the preferred one first. @throws ModelFailure */
	models(credential: ModelCredential, signal: AbortSignal): Promise<readonly string[]>;
}
