import { type Identifier, type Node, SyntaxKind } from "typescript/unstable/ast";
import type { CompilerError } from "./compiler-messages.ts";

/** Names that the language's own declarations contain but that the sandbox's engine lacks or blocks. A test checks them against both. */
export const ABSENT_NAMES: ReadonlySet<string> = new Set(["Atomics", "Function", "Intl", "SharedArrayBuffer", "eval"]);

const CANNOT_FIND_NAME = 2304;
/** A child under one of these keys introduces a name or label instead of using an outer name. */
const NAMES: ReadonlySet<string> = new Set(["name", "propertyName", "label"]);
/** A program may name `Function`, as in `x instanceof Function`, but may not call it, because that creates code from text. */
const CALLED_ONLY: ReadonlySet<string> = new Set(["Function"]);

/** Returns an error for each use of an absent name as a value. A name that the program itself declares is not absent. */
export function absentNameErrors(root: Node): CompilerError[] {
	const used: Identifier[] = [];
	const declared = new Set<string>();
	const open: Node[] = [root];
	for (let node = open.pop(); node !== undefined; node = open.pop()) {
		const named = new Set([...NAMES].map((place) => Reflect.get(node as object, place)));
		const shorthand = node.kind === SyntaxKind.ShorthandPropertyAssignment;
		const calls = node.kind === SyntaxKind.CallExpression || node.kind === SyntaxKind.NewExpression;
		const called = calls ? Reflect.get(node as object, "expression") : undefined;
		node.forEachChild((child) => {
			if (isTypeNode(child)) return;
			const name = nameOf(child);
			if (name === undefined || !ABSENT_NAMES.has(name)) open.push(child);
			else if (named.has(child) && !shorthand) {
				if (node.kind !== SyntaxKind.PropertyAccessExpression) declared.add(name);
			} else if (!CALLED_ONLY.has(name) || child === called) used.push(child as Identifier);
		});
	}
	return used
		.filter(({ text }) => !declared.has(text))
		.map(({ text, end }) => ({ offset: end - text.length, code: CANNOT_FIND_NAME, text: `'${text}' is not available to a program.` }));
}

function nameOf(node: Node): string | undefined {
	return node.kind === SyntaxKind.Identifier ? (node as Identifier).text : undefined;
}

function isTypeNode({ kind }: Node): boolean {
	return kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode;
}
