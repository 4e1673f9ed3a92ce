import type { SourceFile } from "./source-file.ts";
import { isNode, lineOf, type SyntaxNode, syntaxNodes } from "./syntax.ts";

export interface RegularExpression {
	/** `path:line`. */
	readonly place: string;
	readonly path: string;
	/** Its source: the text between the slashes, or the argument of `RegExp`. */
	readonly text: string;
	/** Undefined if it is computed, so that its form is only known at run time. */
	readonly pattern: { readonly source: string; readonly flags: string } | undefined;
}

/** Every regular expression that a file contains as a literal or creates with `RegExp`. */
export function regularExpressions(file: SourceFile): RegularExpression[] {
	return syntaxNodes(file).flatMap((node) => {
		const found = literalOf(node) ?? constructed(node, file.text);
		return found === undefined ? [] : [{ place: `${file.path}:${lineOf(file.text, node.start)}`, path: file.path, ...found }];
	});
}

type Found = Pick<RegularExpression, "text" | "pattern">;

function literalOf({ type, regex }: SyntaxNode): Found | undefined {
	if (type !== "Literal" || typeof regex !== "object" || regex === null || !("pattern" in regex) || !("flags" in regex)) return undefined;
	const source = String(regex.pattern);
	return { text: source, pattern: { source, flags: String(regex.flags) } };
}

function constructed({ type, callee, arguments: given }: SyntaxNode, text: string): Found | undefined {
	if ((type !== "NewExpression" && type !== "CallExpression") || !isNode(callee) || callee.name !== "RegExp") return undefined;
	const [source, flags] = Array.isArray(given) ? given : [];
	if (!isNode(source)) return undefined;
	const written = textOf(source);
	// A literal inside is found as a node of its own.
	if (written === undefined) return { text: text.slice(source.start, Number(source.end)), pattern: undefined };
	return { text: written, pattern: { source: written, flags: textOf(flags) ?? "" } };
}

function textOf(node: unknown): string | undefined {
	return isNode(node) && node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}
