import type { z } from "zod";
import type { Http } from "./http.ts";

/** What a call may do: nothing, change something, or change something that cannot be undone. */
export type Risk = "read" | "write" | "destructive";

export type PolicyDecision = "allow" | "ask" | "deny";

/** What a handler gets besides its input. */
export interface ToolContext {
	/** Aborted when the user stops the run or the time is up. */
	readonly signal: AbortSignal;
	readonly runId: string;
	readonly toolCallId: string;
	/** The same for each attempt of one call, and different for each call. */
	readonly idempotencyKey: string;
	/** From 1. More than 1 only for a read or an idempotent tool whose earlier attempt has no known outcome. */
	readonly attempt: number;
	/** The only folder that the tool can write to: absolute, private, and kept for the next call. */
	readonly dataFolder: string;
	/** One of the secrets that the tool names. */
	secret(name: string): string;
	readonly http: Http;
}

export interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
	/** `integration.resource.action`; the integration is the name of the folder. */
	readonly id: string;
	readonly risk: Risk;
	/** Each call's input is checked against it before anything else happens. */
	readonly input: Input;
	/** What the handler returns is checked against it. */
	readonly output: Output;
	/** Default: a read is allowed, anything else is asked. */
	readonly policy?: { readonly default: PolicyDecision } | ((input: z.output<Input>) => PolicyDecision);
	readonly requiresApproval?: boolean;
	/** One plain sentence for the person who decides: what this call will do, with the facts that matter. */
	readonly describe?: (input: z.output<Input>) => string;
	/** A second attempt with the same `idempotencyKey` changes nothing that the first one did. */
	readonly idempotent?: boolean;
	/** A read that decisions rest on: it is shown with the run's actions. */
	readonly keyRead?: boolean;
	/** False: the user cannot allow it for 15 minutes, only once. */
	readonly window?: boolean;
	/** Default 60 seconds. */
	readonly timeoutMs?: number;
	/** Names of the secrets that a call gets. */
	readonly secrets?: readonly string[];
	/** @throws ToolFailed if it did not act, OutcomeUnknown if it may have */
	readonly handler: (input: z.output<Input>, ctx: ToolContext) => Promise<z.input<Output>>;
}

/** One method of an integration: programs call it as `tools.<integration>.<name of the export>(input)`. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
	definition: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
	return definition;
}
