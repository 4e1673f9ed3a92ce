import type { OfferedTool } from "./conversation.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "./json.ts";

/** Something an agent's own tool is asked to do. */
export type Operation =
	| { readonly kind: "write"; readonly path: string; readonly text: string }
	| { readonly kind: "read"; readonly path: string }
	| { readonly kind: "run"; readonly command: string };

/** `custom` is the free text of a tool that takes no JSON; `raw` is sent in the place of JSON. */
export type ToolInput = { readonly args: JsonObject } | { readonly custom: string } | { readonly raw: string };

const shells = [
	"exec_command",
	"shell_command",
	"shell",
	"local_shell",
	"bash",
	"Bash",
	"run_shell_command",
	"run_commands",
	"execute",
	"exec",
];

const preferred: Record<Operation["kind"], readonly string[]> = {
	write: ["write", "Write", "write_file", "WriteFile", "create_file", "fs_write", "str_replace_based_edit_tool", "apply_patch", ...shells],
	read: ["read", "Read", "read_file", "view", ...shells],
	run: shells,
};

/** The first of the offered tools that real agents use for such an operation. */
export function chooseTool(tools: readonly OfferedTool[], operation: Operation): OfferedTool | undefined {
	for (const name of preferred[operation.kind]) {
		const tool = tools.find((offered) => offered.name === name);
		if (tool !== undefined) return tool;
	}
	return undefined;
}

/** Fills the tool's own schema: known property names by meaning, other required ones with the smallest value. */
export function buildInput(tool: OfferedTool, operation: Operation, escalate: boolean): ToolInput {
	if (tool.kind === "custom" || tool.name === "apply_patch") {
		const patch = patchFor(operation);
		return tool.kind === "custom" ? { custom: patch } : { args: { input: patch, patchText: patch } };
	}
	const required = listOf(tool.schema.required);
	const args: Record<string, unknown> = {};
	for (const [name, definition] of Object.entries(objectOf(tool.schema.properties))) {
		const value = argument(name, objectOf(definition), { tool, operation, escalate, required: required.includes(name) });
		if (value !== undefined) args[name] = value;
	}
	return { args };
}

interface ArgumentContext {
	readonly tool: OfferedTool;
	readonly operation: Operation;
	readonly escalate: boolean;
	readonly required: boolean;
}

function argument(name: string, definition: JsonObject, context: ArgumentContext): unknown {
	const { operation, tool, escalate, required } = context;
	const key = name.toLowerCase().replaceAll("_", "");
	if (/^(filepath|path|absolutepath|file|filename)$/.test(key)) return operation.kind === "run" ? undefined : operation.path;
	if (/^(content|contents|text|filetext)$/.test(key)) return operation.kind === "write" ? operation.text : undefined;
	if (/^(command|cmd|script)$/.test(key)) {
		if (tool.name.startsWith("str_replace")) return "create";
		return takesList(definition) ? ["bash", "-lc", shellLine(operation)] : shellLine(operation);
	}
	if (key === "sandboxpermissions") return escalate ? "require_escalated" : undefined;
	if (key === "justification") return escalate ? "May I run this outside the sandbox?" : undefined;
	if (!required) return undefined;
	return key === "description" ? "scripted step" : smallestValue(definition);
}

function takesList(definition: JsonObject): boolean {
	const types = [definition, ...listOf(definition.anyOf).map(objectOf)].map(({ type }) => stringOf(type).toLowerCase());
	return types.includes("array");
}

/** The smallest value that fits a schema. */
export function smallestValue(schema: JsonObject): unknown {
	const [first] = listOf(schema.enum);
	if (first !== undefined) return first;
	switch (stringOf(schema.type).toLowerCase()) {
		case "object":
			return Object.fromEntries(Object.entries(objectOf(schema.properties)).map(([key, value]) => [key, smallestValue(objectOf(value))]));
		case "array":
			return [];
		case "boolean":
			return false;
		case "number":
		case "integer":
			return 10_000;
		default:
			return "x";
	}
}

function shellLine(operation: Operation): string {
	if (operation.kind === "run") return operation.command;
	const path = quote(operation.path);
	return operation.kind === "read" ? `cat ${path}` : `printf '%s' ${quote(operation.text)} > ${path}`;
}

function patchFor(operation: Operation): string {
	const path = operation.kind === "run" ? "scripted" : operation.path;
	const text = operation.kind === "write" ? operation.text : "";
	return `*** Begin Patch\n*** Add File: ${path}\n+${text.split("\n").join("\n+")}\n*** End Patch\n`;
}

function quote(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
