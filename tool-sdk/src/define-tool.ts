import type { z } from "zod";
import type { ToolContext } from "./tool-context.ts";

/** `read` changes nothing, `write` changes something, `destructive` changes something that cannot be undone. */
export type Risk = "read" | "write" | "destructive";

export type PolicyDecision = "allow" | "ask" | "deny";

/**
 * What a tool says about whether its calls may start. The user's own rules take precedence, and every call of code that the user has not
 * accepted needs approval.
 */
export type ToolPolicy<Input> = { readonly default: PolicyDecision } | ((input: Input) => PolicyDecision);

interface CommonOptions<Input extends z.ZodType, Output extends z.ZodType> {
	/** `integration.resource.action`; the integration is the name of the folder. */
	readonly id: string;
	readonly risk: Risk;
	/** Schema of the input. It must have a JSON Schema form: write dates as text, and use no transforms. */
	readonly input: Input;
	/** Schema of what the handler returns, under the same rule. */
	readonly output: Output;
	/** One sentence about this call in plain words, shown before it is allowed: `Delete the event "${title}"`. */
	readonly describe?: (input: z.output<Input>) => string;
	/** A repeat with the same `ctx.idempotencyKey` has no second effect, so the call may be made again after a crash. */
	readonly idempotent?: boolean;
	/** Marks a read that decisions rest on, so that it is listed among what a run did. */
	readonly keyRead?: boolean;
	/** False: every call needs its own approval; allowing the tool for a limited time is not offered. */
	readonly window?: boolean;
	/** How long a call may take, in milliseconds; 60,000 if absent, 600,000 at most. */
	readonly timeoutMs?: number;
	/** Names of the secrets that the handler gets, from `secrets.json` in the home. */
	readonly secrets?: readonly string[];
	/** Does the work. What it returns is validated against `output`. */
	readonly handler: (input: z.output<Input>, ctx: ToolContext) => Promise<z.input<Output>> | z.input<Output>;
}

/** A tool's definition. Without `policy` and `requiresApproval`, its risk decides: reads are allowed, everything else needs approval. */
export type ToolOptions<Input extends z.ZodType, Output extends z.ZodType> = CommonOptions<Input, Output> &
	(
		| { readonly policy?: ToolPolicy<z.output<Input>>; readonly requiresApproval?: never }
		/** Short for a policy: true means that each call needs approval, false that each is allowed. */
		| { readonly requiresApproval?: boolean; readonly policy?: never }
	);

/** Marks definitions, so that other exports of the module are not mistaken for tools. */
const TOOL = Symbol.for("@xworkmate/tool");

export type ToolDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = ToolOptions<Input, Output>;

/**
 * Defines a tool. Export the result: programs call it as `tools.<integration>.<name of the export>(input)`.
 *
 *     export const addNote = defineTool({
 *       id: "notes.note.add",
 *       risk: "write",
 *       input: z.strictObject({ text: z.string().max(1000) }),
 *       output: z.object({ id: z.string() }),
 *       describe: ({ text }) => `Add the note "${text}"`,
 *       handler: async ({ text }, ctx) => { ... },
 *     });
 */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
	options: ToolOptions<Input, Output>,
): ToolDefinition<Input, Output> {
	const definition = { ...options };
	Object.defineProperty(definition, TOOL, { value: true });
	return Object.freeze(definition);
}

/** True for what `defineTool` returned. Its fields are as the author wrote them, unchecked. */
export function isToolDefinition(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && Object.hasOwn(value, TOOL);
}
