import type { IntegrationId, PolicyDecision, Risk, RunId, Sha256, ToolCallId, ToolErrorCode, ToolId } from "@xworkmate/contracts";

/** A typed tool as one version of its integration declares it. Immutable: a new version of the integration gets new objects. */
export interface TypedTool {
	readonly toolId: ToolId;
	readonly integration: IntegrationId;
	/** The name of the export. */
	readonly method: string;
	readonly risk: Risk;
	/** The hash of the integration's sources and declarations or, for a tool of the bridge itself, of its version. */
	readonly toolHash: Sha256;
	/** False if the user has not accepted this code, so that every call needs approval, no matter what the tool's own rule is. */
	readonly isAccepted: boolean;
	/** The tool's own rule for every call. If absent, its risk decides, or a function of the tool. */
	readonly policy?: PolicyDecision;
	/** The user is asked about every call, even if a rule allows it. */
	readonly isAlwaysAsked?: true;
	readonly isIdempotent: boolean;
	readonly isKeyRead: boolean;
	/** True if the user may allow the tool for a limited time. */
	readonly mayWindow: boolean;
	readonly timeoutMs: number;
	/** Names of the secrets that a call gets. */
	readonly secrets: readonly string[];
}

/**
 * `accepted`, `unaccepted`: programs can call this version of the tool, and the user has accepted it or not. `gone`: they can't, because
 * the tool's code has changed or the tool was removed. `unread`: it isn't known yet, because the bridge has just started and is reading
 * the tools.
 */
export type VersionState = "accepted" | "unaccepted" | "gone" | "unread";

/** The tools that programs can call now. Immutable: a reload creates a new object. */
export interface ToolCatalogue {
	/** Changes when any tool changes. */
	readonly registryHash: Sha256;
	/** The tools by `<integration>.<method>`. */
	readonly tools: ReadonlyMap<string, TypedTool>;
	/** The members of `tools` as TypeScript, for the type checker. */
	readonly declarations: string;
}

/** A tool's answer about an input, before it is called with it. */
export type Examined =
	/** `input`: as parsed by the schema. `policy`: the tool's own decision about this call; `failed` if its rule threw or took too long. */
	| { readonly kind: "valid"; readonly input: unknown; readonly words: string; readonly policy?: PolicyDecision | "failed" }
	| { readonly kind: "invalid"; readonly message: string }
	/** This version of the tool is no longer loaded. */
	| { readonly kind: "changed" }
	| { readonly kind: "lost"; readonly message: string };

export interface HostedCall {
	readonly runId: RunId;
	readonly toolCallId: ToolCallId;
	/** The same key for each attempt of a call. */
	readonly idempotencyKey: string;
	/** Counted from 1. */
	readonly attempt: number;
	/** The input as it was examined. */
	readonly input: unknown;
}

/** `unknown`: the handler may have acted. A call that only reads counts as failed if it gets no answer. */
export type HostedOutcome =
	| { readonly kind: "succeeded"; readonly output: unknown }
	| { readonly kind: "failed" | "unknown"; readonly code: ToolErrorCode; readonly message: string };

/** The integrations of the home, each in its own process. */
export interface ToolHosts {
	/** The tools as of the last reload. Waits for a reload that is in progress. */
	catalogue(): Promise<ToolCatalogue>;
	/** True while exactly this version of the tool can be called. */
	isCurrent(tool: TypedTool): boolean;
	/** Never rejects. Takes at most a few seconds, plus the time to start the process if necessary. */
	examine(tool: TypedTool, input: unknown): Promise<Examined>;
	/**
	 * Calls the handler once, and never again automatically. Never rejects. After an abort, the handler has 5 s before its process is killed.
	 */
	call(tool: TypedTool, call: HostedCall, signal: AbortSignal): Promise<HostedOutcome>;
	/** Ends all processes. */
	close(): Promise<void>;
}
