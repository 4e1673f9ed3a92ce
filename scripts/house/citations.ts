import type { Requirement } from "../../e2e/requirements/requirement.ts";
import type { SourceFile } from "./source-file.ts";
import { isNode, type SyntaxNode, syntaxNodes } from "./syntax.ts";

/** The requirement ids in test titles, each with the files that cite it. Skipped and expected-to-fail tests do not count. */
export function citedRequirements(testFiles: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
	const cited = new Map<string, string[]>();
	for (const file of testFiles) {
		for (const id of new Set(syntaxNodes(file).flatMap(idsInTitle))) cited.set(id, [...(cited.get(id) ?? []), file.path]);
	}
	return cited;
}

/** Messages about requirements without citations, and citations without requirements. */
export function citationProblems(requirements: readonly Requirement[], cited: ReadonlyMap<string, readonly string[]>): string[] {
	const known = new Set(requirements.map(({ id }) => id));
	const unknown = [...cited].filter(([id]) => !known.has(id)).map(([id, files]) => `${files.join(", ")}: no requirement is named ${id}`);
	const wrong = requirements.flatMap(({ id, state, behaviour }) => {
		if (state === "verified" && !cited.has(id)) return [`no test cites ${id} (${behaviour}), which is said to be verified`];
		if (state === "later" && cited.has(id))
			return [`${id} is said to come later, but ${cited.get(id)?.join(", ")} cites it: mark it verified`];
		return [];
	});
	return [...unknown, ...wrong];
}

function idsInTitle(node: SyntaxNode): string[] {
	if (node.type !== "CallExpression" || !Array.isArray(node.arguments) || provesNothing(node.callee)) return [];
	const head = /^(?:\s*\[[^\]]*\])+/.exec(titleOf(node.arguments[0]))?.[0] ?? "";
	return head.match(/\b[A-Z]\d-\d{2}\b/g) ?? [];
}

function titleOf(argument: unknown): string {
	if (!isNode(argument)) return "";
	if (typeof argument.value === "string") return argument.value;
	const [first] = Array.isArray(argument.quasis) ? argument.quasis : [];
	return isNode(first) && isTemplateText(first.value) ? first.value.raw : "";
}

function isTemplateText(value: unknown): value is { readonly raw: string } {
	return typeof value === "object" && value !== null && "raw" in value && typeof value.raw === "string";
}

/** True for `it.skip`, `it.todo`, `it.fails`, also before `.each(...)`. */
function provesNothing(callee: unknown): boolean {
	if (!isNode(callee)) return false;
	if (isNode(callee.property) && ["skip", "todo", "fails"].includes(String(callee.property.name))) return true;
	return provesNothing(callee.object) || provesNothing(callee.callee) || provesNothing(callee.tag);
}
