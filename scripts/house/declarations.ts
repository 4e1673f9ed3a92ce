import type { SourceFile } from "./source-file.ts";
import { isNode, type SyntaxNode, syntaxNodes } from "./syntax.ts";

/** A function, class, type, constant, member or function of an object, and its position. */
export interface Declaration {
	readonly name: string;
	readonly start: number;
	readonly end: number;
}

/** Everything that a file declares. @throws SyntaxError if the file does not parse */
export function declarationsIn(file: SourceFile): readonly Declaration[] {
	return syntaxNodes(file).flatMap(declarationOf);
}

/** Whether a name is declared, qualified by its enclosing declarations, as in `Thread.#read`. */
export function isDeclared(all: readonly Declaration[], dottedName: string): boolean {
	const innermost = dottedName.split(".").reduce<readonly Declaration[] | undefined>((outer, name) => {
		const named = all.filter((declaration) => declaration.name === name);
		return outer === undefined ? named : named.filter((inner) => outer.some((one) => one !== inner && contains(one, inner)));
	}, undefined);
	return innermost !== undefined && innermost.length > 0;
}

function contains(outer: Declaration, inner: Declaration): boolean {
	return outer.start <= inner.start && inner.end <= outer.end;
}

function declarationOf(node: SyntaxNode): Declaration[] {
	const key = keyOf(node);
	if (!isNode(key) || typeof node.end !== "number") return [];
	const name = key.type === "PrivateIdentifier" ? `#${String(key.name)}` : String(key.name ?? key.value);
	return [{ name, start: node.start, end: node.end }];
}

function keyOf(node: SyntaxNode): unknown {
	switch (node.type) {
		case "FunctionDeclaration":
		case "ClassDeclaration":
		case "TSInterfaceDeclaration":
		case "TSTypeAliasDeclaration":
		case "VariableDeclarator":
			return node.id;
		case "MethodDefinition":
		case "PropertyDefinition":
			return node.key;
		case "Property":
			return isFunctionOrCall(node.value) ? node.key : undefined;
		default:
			return undefined;
	}
}

/** True for the value of a member of an object that is a function or a call. In a pattern, the value is a name, which declares nothing. */
function isFunctionOrCall(value: unknown): boolean {
	return isNode(value) && ["ArrowFunctionExpression", "FunctionExpression", "CallExpression"].includes(value.type);
}
