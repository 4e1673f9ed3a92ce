import type { ToolProblem, ToolProblemCode } from "@xworkmate/contracts";
// Only this module of the contracts is loaded, because loading all of them took as long as the rest of a process's start.
import { PolicyDecision, Risk, ToolId } from "@xworkmate/contracts/tool-id";
import { isToolDefinition } from "@xworkmate/tool";
import { z } from "zod";
import { builtInGroups, DEFAULT_TIMEOUT_MS, type DeclaredTool, declarationBounds } from "./host-messages.ts";

/** The name of an export. Excludes `default`, and names that have a meaning on objects, functions or promises. */
const METHOD = /^(?!(?:constructor|prototype|then|default)$)[a-z][A-Za-z0-9]{0,63}$/;

const Fields = z.object({
	risk: Risk,
	policy: z.union([z.function(), z.strictObject({ default: PolicyDecision })]).optional(),
	requiresApproval: z.boolean().optional(),
	describe: z.function().optional(),
	idempotent: z.boolean().optional(),
	keyRead: z.boolean().optional(),
	window: z.boolean().optional(),
	timeoutMs: z.int().min(1).max(declarationBounds.timeoutMs).optional(),
	secrets: z
		.array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/))
		.max(declarationBounds.secrets)
		.optional(),
	handler: z.function(),
});

/** A tool's definition, its declaration and its schemas. */
export interface HostedTool {
	readonly declared: DeclaredTool;
	readonly definition: Readonly<Record<string, unknown>>;
	readonly input: z.ZodType;
	readonly output: z.ZodType;
}

const MAX_PROBLEMS = 100;

type Where = Pick<ToolProblem, "file" | "line" | "column">;

/** Collects the tools that an integration's files export, and what is wrong with them. */
export class DeclaredTools {
	readonly problems: ToolProblem[] = [];
	readonly tools = new Map<string, HostedTool>();
	readonly #integration: string;
	readonly #byId = new Map<string, HostedTool>();

	constructor(integration: string) {
		this.#integration = integration;
	}

	/** @param where returns the position of an export */
	add(file: string, exports: Readonly<Record<string, unknown>>, where: (name: string) => Where): void {
		for (const [method, value] of Object.entries(exports)) {
			if (isToolDefinition(value)) this.#add(file, method, value, { ...where(method), file });
		}
	}

	#add(file: string, method: string, definition: HostedTool["definition"], where: Where): void {
		// An index file may export the same tool again.
		if (this.tools.get(method)?.definition === definition) return;
		const tool = this.#read(file, method, definition);
		if ("code" in tool) {
			if (this.problems.length < MAX_PROBLEMS) this.problems.push({ code: tool.code, message: tool.message.slice(0, 2_000), ...where });
			return;
		}
		this.tools.set(method, tool);
		this.#byId.set(tool.declared.toolId, tool);
	}

	/** Reads a tool, or returns a refusal that says why the export can't be used as a tool. */
	#read(file: string, method: string, definition: HostedTool["definition"]): HostedTool | Refusal {
		const id = ToolId.safeParse(definition.id);
		if (!id.success) {
			const form = `integration.resource.action, such as ${this.#integration}.item.read`;
			return refusal("BAD_ID", `The id ${quoted(definition.id)} must have the form ${form}.`);
		}
		if (!METHOD.test(method)) {
			const rule = 'use at most 64 letters and digits, begin with a lowercase letter, and avoid words such as "constructor"';
			return refusal("BAD_ID", `${quoted(method)} can't be the name of a tool: ${rule}.`);
		}
		const [integration = ""] = id.data.split(".");
		if (integration !== this.#integration) {
			return refusal("FOREIGN_INTEGRATION", `The id ${id.data} belongs to ${integration}, but this folder is ${this.#integration}.`);
		}
		if (builtInGroups.has(integration)) {
			return refusal(
				"FOREIGN_INTEGRATION",
				`The name ${integration} is reserved for built-in tools. Rename the folder and change the tools' ids.`,
			);
		}
		const same = this.tools.get(method);
		if (same !== undefined) return refusal("DUPLICATE_NAME", `${method} is exported by ${same.declared.file} and by ${file}.`);
		const twin = this.#byId.get(id.data);
		if (twin !== undefined) {
			const both = `${twin.declared.method} in ${twin.declared.file} and of ${method} in ${file}`;
			return refusal("DUPLICATE_ID", `${id.data} is the id of ${both}.`);
		}
		if (this.tools.size >= declarationBounds.tools)
			return refusal("TOO_LARGE", `The integration has more than ${declarationBounds.tools} tools.`);
		return readTool(file, method, id.data, definition);
	}
}

interface Refusal {
	readonly code: ToolProblemCode;
	readonly message: string;
}

function refusal(code: ToolProblemCode, message: string): Refusal {
	return { code, message };
}

function readTool(file: string, method: string, toolId: string, definition: HostedTool["definition"]): HostedTool | Refusal {
	const fields = Fields.safeParse(definition);
	if (!fields.success) {
		const [issue] = fields.error.issues;
		return refusal("BAD_SCHEMA", `${method}: ${issue?.path.join(".")}: ${issue?.message ?? "is wrong"}.`);
	}
	const [input, output] = [schemaOf(definition.input), schemaOf(definition.output)];
	if (typeof input === "string") return refusal("BAD_SCHEMA", `${method}: the input can't be used. ${input}`);
	if (typeof output === "string") return refusal("BAD_SCHEMA", `${method}: the output can't be used. ${output}`);
	const { risk, policy, requiresApproval, idempotent = false, keyRead = false, window = true, timeoutMs, secrets = [] } = fields.data;
	const asked = requiresApproval === undefined ? undefined : requiresApproval ? "ask" : "allow";
	const own = typeof policy === "object" ? policy.default : asked;
	const declared: DeclaredTool = {
		toolId,
		method,
		file,
		risk,
		...(own === undefined ? {} : { policy: own }),
		codeDecides: typeof policy === "function",
		idempotent,
		keyRead,
		window,
		timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
		secrets: [...new Set(secrets)],
		input: input.read,
		output: output.written,
	};
	return { declared, definition, input: input.schema, output: output.schema };
}

/**
 * A schema with its JSON forms, or what is wrong with the schema. The value that it produces must be JSON too, because it is sent as JSON.
 */
function schemaOf(given: unknown): { readonly schema: z.ZodType; readonly read: unknown; readonly written: unknown } | string {
	if (!(given instanceof z.ZodType)) return 'It is not a zod schema. Import z from "zod".';
	try {
		const [read, written] = (["input", "output"] as const).map((io) => JSON.stringify(z.toJSONSchema(given, { io, reused: "inline" })));
		if (read === undefined || written === undefined) return "It can't be converted to JSON Schema.";
		if (Math.max(read.length, written.length) > declarationBounds.schemaBytes)
			return `It is larger than ${(declarationBounds.schemaBytes / 1000).toFixed(1)} kB.`;
		return { schema: given, read: JSON.parse(read), written: JSON.parse(written) };
	} catch (error) {
		return `It can't be converted to JSON Schema: ${error instanceof Error ? error.message : "unknown"}. Use strings for dates, and no transforms.`;
	}
}

function quoted(value: unknown): string {
	return typeof value === "string" ? JSON.stringify(value.slice(0, 200)) : `of type ${typeof value}`;
}
