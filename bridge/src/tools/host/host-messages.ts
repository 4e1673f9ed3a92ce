import type { PolicyDecision, Risk, ToolErrorCode } from "@xworkmate/contracts";

/*
 * Messages between the bridge and the process of an integration, as heads of frames. The process runs code from the user's home folder, so
 * the bridge validates every message that it sends (`../integrations/parse-host-message.ts`).
 */

export type HostRequest =
	/** Texts: the sources as JSON, a list of path and text. Sent once, before anything else. */
	| { readonly kind: "load"; readonly integration: string; readonly dataFolder: string }
	/** Texts: the input as JSON. */
	| { readonly kind: "examine"; readonly id: number; readonly method: string }
	/** Texts: the input, then the secrets, as JSON. */
	| {
			readonly kind: "call";
			readonly id: number;
			readonly method: string;
			readonly runId: string;
			readonly toolCallId: string;
			readonly idempotencyKey: string;
			readonly attempt: number;
	  }
	| { readonly kind: "abort"; readonly id: number };

export type HostMessage =
	/** The process waits for `load`. */
	| { readonly kind: "ready" }
	/** Text: the file that is about to be imported. */
	| { readonly kind: "importing" }
	/** Text: the tools as JSON, a list of `DeclaredTool`. */
	| { readonly kind: "loaded" }
	/** Text: what is wrong with the sources as JSON, a list of `ToolProblem`. */
	| { readonly kind: "problems" }
	/** Text: the input as parsed by the schema, or what is wrong with it. */
	| { readonly kind: "parsed"; readonly id: number; readonly valid: boolean }
	/** Text: the tool's description of the call; absent if the tool gives none. */
	| { readonly kind: "described"; readonly id: number }
	/** The end of an examination. */
	| { readonly kind: "ruled"; readonly id: number; readonly policy: PolicyDecision | "failed" | "none" }
	/** Text: the output as JSON, or a message. */
	| {
			readonly kind: "returned";
			readonly id: number;
			readonly outcome: "succeeded" | "failed" | "unknown";
			readonly code?: Extract<ToolErrorCode, "TOOL_FAILED" | "OUTCOME_UNKNOWN" | "INVALID_OUTPUT">;
	  };

/** A tool as its integration's process declares it. */
export interface DeclaredTool {
	readonly toolId: string;
	readonly method: string;
	readonly file: string;
	readonly risk: Risk;
	/** The tool's policy for every call. */
	readonly policy?: PolicyDecision;
	/** Whether a function of the tool decides for each call. If absent, an older bridge loaded the tool, and didn't record it. */
	readonly codeDecides?: boolean;
	readonly idempotent: boolean;
	readonly keyRead: boolean;
	readonly window: boolean;
	readonly timeoutMs: number;
	readonly secrets: readonly string[];
	/** The JSON Schemas of the tool's input and output. */
	readonly input: unknown;
	readonly output: unknown;
}

/** The largest JSON text of an output or a declaration. A longer one would hold up the bridge while it's read. */
export const JSON_BYTES = 16 * 2 ** 20;

/** Limits on what one integration may declare. */
export const declarationBounds = { tools: 200, schemaBytes: 64 * 1024, secrets: 50, timeoutMs: 600_000 } as const;
/** The groups of tools that programs have without any integration. */
export const builtInGroups: ReadonlySet<string> = new Set(["files", "time", "xworkmate"]);

export const DEFAULT_TIMEOUT_MS = 60_000;
