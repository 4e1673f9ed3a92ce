import type { SourceFile } from "./source-file.ts";
import { isNode, type SyntaxNode, syntaxNodes } from "./syntax.ts";

export interface MessageAndFix {
	readonly start: number;
	readonly message: string;
	readonly fix: string;
}

interface Positions {
	readonly message: number;
	readonly fix: number;
}

const MESSAGE_NAMES: ReadonlySet<string> = new Set(["message", "detail", "refused", "problem", "what"]);

/**
 * Messages with their fixes as a file builds them: members of an object, or arguments of a function of the file that takes both by these
 * names. Interpolated values are shown as {}, alternatives are separated by " | ". Pairs without any text of the file are left out.
 */
export function messageAndFix(file: SourceFile): readonly MessageAndFix[] {
	const nodes = syntaxNodes(file);
	const constants = constantsOf(nodes);
	const functions = functionsOf(nodes);
	return nodes.flatMap((node) => {
		const [message, fix] = node.type === "ObjectExpression" ? inObject(node) : inCall(node, functions);
		if (message === undefined || fix === undefined) return [];
		const pair = { start: node.start, message: textOf(message, constants), fix: textOf(fix, constants) };
		return /[A-Za-z]{2,} \S/.test(pair.message + pair.fix) ? [pair] : [];
	});
}

function inObject(node: SyntaxNode): readonly [unknown?, unknown?] {
	const members = new Map(listOf(node.properties).map((property) => [nameOf(property.key), property.value]));
	const message = [...MESSAGE_NAMES].find((name) => members.has(name));
	return message === undefined || !members.has("fix") ? [] : [members.get(message), members.get("fix")];
}

function inCall(node: SyntaxNode, functions: ReadonlyMap<string, Positions>): readonly [unknown?, unknown?] {
	const positions = node.type === "CallExpression" ? functions.get(nameOf(node.callee) ?? "") : undefined;
	const given = listOf(node.arguments);
	return positions === undefined ? [] : [given[positions.message], given[positions.fix]];
}

function functionsOf(nodes: readonly SyntaxNode[]): ReadonlyMap<string, Positions> {
	return new Map(
		nodes.flatMap((node): [string, Positions][] => {
			const name = node.type === "FunctionDeclaration" ? nameOf(node.id) : undefined;
			const names = listOf(node.params).map((param) => nameOf(param.type === "AssignmentPattern" ? param.left : param) ?? "");
			const positions = { message: names.findIndex((each) => MESSAGE_NAMES.has(each)), fix: names.indexOf("fix") };
			return name === undefined || positions.message < 0 || positions.fix < 0 ? [] : [[name, positions]];
		}),
	);
}

/** What constants of the file begin with; of several with one name, the one that precedes its use most closely is meant. */
function constantsOf(nodes: readonly SyntaxNode[]): readonly { readonly name: string; readonly start: number; readonly value: unknown }[] {
	return nodes.flatMap((node) => {
		const name = node.type === "VariableDeclarator" ? nameOf(node.id) : undefined;
		return name === undefined ? [] : [{ name, start: node.start, value: node.init }];
	});
}

function textOf(node: unknown, constants: ReturnType<typeof constantsOf>): string {
	if (!isNode(node)) return "{}";
	switch (node.type) {
		case "Literal":
			return typeof node.value === "string" ? node.value : "{}";
		case "TemplateLiteral":
			return listOf(node.quasis)
				.map(({ value }) => (typeof value === "object" && value !== null && "cooked" in value ? String(value.cooked) : ""))
				.join("{}");
		case "ConditionalExpression":
			return `${textOf(node.consequent, constants)} | ${textOf(node.alternate, constants)}`;
		case "Identifier": {
			const found = constants.filter(({ name, start }) => name === node.name && start < node.start).at(-1);
			return found === undefined ? "{}" : textOf(found.value, constants);
		}
		default:
			return "{}";
	}
}

function listOf(nodes: unknown): readonly SyntaxNode[] {
	return Array.isArray(nodes) ? nodes.filter(isNode) : [];
}

function nameOf(node: unknown): string | undefined {
	return isNode(node) && typeof node.name === "string" ? node.name : undefined;
}
