import { advice } from "../../contracts/src/index.ts";
import type { SourceFile } from "./source-file.ts";
import { isNode, lineOf, type SyntaxNode, syntaxNodes } from "./syntax.ts";

/** The errors whose messages users read. */
const errorClasses: ReadonlySet<unknown> = new Set([
	"AppError",
	"BridgeTransportError",
	"ConfigError",
	"ContractError",
	"RemoteAppError",
	"StoreError",
]);
const wordFields: ReadonlySet<unknown> = new Set(["detail", "fix", "message"]);
const CODE = /^[A-Z][A-Z0-9_]+$/;
/** Words that make an error sentence sound translated. */
const STILTED =
	/\b(?:anew|nobody|whoever|by itself|back-up|(?<!there )is no (?!longer)|holds no|cannot|does not answer|under way|stands?|came out)\b|;/i;
const COMMAND = /\bxworkmate (?:start|open|run|doctor|logs|threads|tasks|approvals|grants|cancel|sync)\b/;
/** Documents name these as they are typed where XWorkmate is installed. */
const OTHER_COMMAND =
	/\bxworkmate (?:agents|auth|backup|changes|channels|config|contacts|plans|receipts|restore|service|stop|tools|usage)\b/;

/** Messages about error texts that are not whole sentences in plain English. An interpolated value counts as a word. */
export function errorTextProblems(file: SourceFile): string[] {
	return syntaxNodes(file)
		.filter((node) => node.type === "NewExpression" && isNode(node.callee) && errorClasses.has(node.callee.name))
		.flatMap((node) => texts(node.arguments).map((text) => ({ text, line: lineOf(file.text, node.start) })))
		.flatMap(({ text, line }) => {
			const problem = textProblem(text);
			return problem === undefined ? [] : [`${file.path}:${line} ${problem}: ${text}`];
		});
}

/** The first tells how to put the command on PATH; in the others, commands are those of an installed XWorkmate. */
const OF_THE_INSTALLED: ReadonlySet<string> = new Set(["docs/install.md", "docs/agents.md", "docs/changes.md"]);

/** Messages about commands that cannot be typed as shown: code uses `commandLine`, documents use npm. */
export function bareCommands({ path, text }: SourceFile): string[] {
	if (OF_THE_INSTALLED.has(path)) return [];
	// In the block of a document that installs the package, the lines after that have the command on PATH.
	let isInstalled = false;
	return text.split("\n").flatMap((line, index) => {
		isInstalled = line.startsWith("npm install -g ") || (isInstalled && !line.startsWith("```"));
		if (isInstalled) return [];
		const isComment = /^\s*(?:\/?\*|\/\/)/.test(line);
		const [found] = COMMAND.exec(line) ?? (path.endsWith(".md") ? undefined : OTHER_COMMAND.exec(line)) ?? [];
		return found === undefined || isComment
			? []
			: [`${path}:${index + 1} names the command "${found}", which is not on PATH in a checkout`];
	});
}

/** Messages about straight apostrophes in strings of the page's catalogue, which uses ’ as quotation marks do. */
export function straightApostrophes(file: SourceFile): string[] {
	return syntaxNodes(file).flatMap((node) => {
		const text = node.type === "Literal" ? node.value : node.type === "TemplateElement" ? cooked(node.value) : undefined;
		return typeof text === "string" && /[A-Za-z]'/.test(text)
			? [`${file.path}:${lineOf(file.text, node.start)} has ' instead of ’: ${text}`]
			: [];
	});
}

/** Messages about sizes in powers of 1024, or in KB: people read kB, MB and GB, in powers of 1000. */
export function binaryUnits({ path, text }: SourceFile): string[] {
	return text.split("\n").flatMap((line, index) => (/\b(?:[KMGT]iB|KB)\b/.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []));
}

function textProblem(text: string): string | undefined {
	if (/^[a-z]/.test(text)) return "begins with a small letter";
	if (!text.endsWith(VALUE) && advice(text) !== text) return "does not end with a full stop";
	const [stilted] = STILTED.exec(text) ?? [];
	return stilted === undefined ? undefined : `says "${stilted}"`;
}

/** Placeholder for an interpolated value. */
const VALUE = "X";

function texts(node: unknown): readonly string[] {
	if (Array.isArray(node)) return node.flatMap(texts);
	if (!isNode(node)) return [];
	switch (node.type) {
		case "Literal":
			return typeof node.value === "string" && !CODE.test(node.value) ? [node.value] : [];
		case "TemplateLiteral":
			return [templateText(node)];
		case "ConditionalExpression":
			return texts([node.consequent, node.alternate]);
		case "ObjectExpression":
			return texts(node.properties);
		case "Property":
			return isNode(node.key) && wordFields.has(node.key.name) ? texts(node.value) : [];
		case "SpreadElement":
			return texts(node.argument);
		default:
			return [];
	}
}

function templateText({ quasis }: SyntaxNode): string {
	const parts = Array.isArray(quasis) ? quasis.filter(isNode).map(({ value }) => cooked(value)) : [];
	return parts.join(VALUE);
}

function cooked(value: unknown): string {
	return typeof value === "object" && value !== null && "cooked" in value && typeof value.cooked === "string" ? value.cooked : "";
}
