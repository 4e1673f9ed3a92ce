import type { Dialect } from "./conversation.ts";

export type Route =
	| { readonly kind: "generate"; readonly dialect: Dialect; readonly streamed: boolean; readonly model?: string }
	| { readonly kind: "models" }
	| { readonly kind: "count_tokens"; readonly dialect: "anthropic" | "gemini" }
	| { readonly kind: "unknown" };

/** Finds the dialect by the end of the path, so that any base path works. */
export function routeOf(method: string, path: string): Route {
	if (method === "GET" && path.endsWith("/models")) return { kind: "models" };
	if (method !== "POST") return { kind: "unknown" };
	if (path.endsWith("/count_tokens")) return { kind: "count_tokens", dialect: "anthropic" };
	if (path.endsWith("/chat/completions")) return { kind: "generate", dialect: "chat", streamed: false };
	if (path.endsWith("/responses")) return { kind: "generate", dialect: "responses", streamed: false };
	if (path.endsWith("/messages")) return { kind: "generate", dialect: "anthropic", streamed: false };
	const [, model, verb] = /models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/.exec(path) ?? [];
	if (model === undefined) return { kind: "unknown" };
	if (verb === "countTokens") return { kind: "count_tokens", dialect: "gemini" };
	return { kind: "generate", dialect: "gemini", streamed: verb === "streamGenerateContent", model };
}
