import { type ParseResult, parseSync } from "oxc-parser";
import type { SourceFile } from "./source-file.ts";

export interface SyntaxNode {
	readonly type: string;
	readonly start: number;
	readonly [field: string]: unknown;
}

/**
 * Every node of a TypeScript file's syntax tree, parents first.
 * @throws SyntaxError if the file does not parse.
 */
export function syntaxNodes(file: SourceFile): SyntaxNode[] {
	const nodes: SyntaxNode[] = [];
	collect(parsed(file).program, nodes);
	return nodes;
}

/** The file's comments and their positions. @throws SyntaxError if the file does not parse. */
export function comments(file: SourceFile): readonly { readonly value: string; readonly start: number }[] {
	return parsed(file).comments;
}

function parsed({ path, text }: SourceFile): ParseResult {
	const result = parseSync(path, text);
	const [first] = result.errors;
	if (first !== undefined) throw new SyntaxError(`${path}: ${first.message}`);
	return result;
}

/**
 * The modules that a file names in its imports and re-exports, in `import()`, in `import("...")` types and in `import x = require("...")`;
 * a computed import counts as "*".
 */
export function importedModules(file: SourceFile): string[] {
	return syntaxNodes(file).flatMap((node) => {
		switch (node.type) {
			case "ImportDeclaration":
			case "ExportAllDeclaration":
			case "ExportNamedDeclaration":
			case "ImportExpression":
			case "TSImportType":
			case "TSExternalModuleReference":
				return moduleOf(node);
			default:
				return [];
		}
	});
}

/** The modules that a file loads at start: its imports and re-exports, except types and `import()`. */
export function loadedModules(file: SourceFile): string[] {
	return parsed(file).program.body.flatMap((statement) => {
		switch (statement.type) {
			case "ImportDeclaration":
				return statement.importKind === "type" || onlyTypes(statement.specifiers, "importKind") ? [] : [statement.source.value];
			case "ExportNamedDeclaration":
				return statement.source === null || statement.exportKind === "type" || onlyTypes(statement.specifiers, "exportKind")
					? []
					: [statement.source.value];
			case "ExportAllDeclaration":
				return statement.exportKind === "type" ? [] : [statement.source.value];
			default:
				return [];
		}
	});
}

/** 1-based line of an offset. */
export function lineOf(text: string, offset: number): number {
	return text.slice(0, offset).split("\n").length;
}

function onlyTypes(specifiers: readonly object[], kind: "importKind" | "exportKind"): boolean {
	return specifiers.length > 0 && specifiers.every((specifier) => kind in specifier && Reflect.get(specifier, kind) === "type");
}

function moduleOf(node: SyntaxNode): string[] {
	const source = node.source ?? node.expression ?? node.argument;
	if (source === undefined || source === null) return [];
	if (isNode(source) && typeof source.value === "string") return [source.value];
	if (isNode(source) && isNode(source.literal) && typeof source.literal.value === "string") return [source.literal.value];
	return ["*"];
}

function collect(value: unknown, nodes: SyntaxNode[]): void {
	if (Array.isArray(value)) for (const item of value) collect(item, nodes);
	else if (typeof value === "object" && value !== null) {
		if (isNode(value)) nodes.push(value);
		for (const field of Object.values(value)) collect(field, nodes);
	}
}

/** True for a node of the syntax tree. */
export function isNode(value: unknown): value is SyntaxNode {
	return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value;
}
