import type { SourceFile } from "./source-file.ts";
import { comments, isNode, lineOf, type SyntaxNode, syntaxNodes } from "./syntax.ts";

/** A bound for what got out of hand. Where a file is cut follows from its matter, which no count knows (docs/decisions/0124). */
const MAX_LINES = 400;

/** Files that may read the environment: entries, the settings of each process, tests, and code that starts other processes. */
const environmentReaders =
	/^(?:(?:bridge|app)\/src\/(?:main|installed|config\/config)\.ts|(?:e2e|scripts|bench)\/.*|.*\.test\.ts|(?:bridge|app)\/test\/.*)$/;

/**
 * Problems that the type checker cannot see or can be told to ignore: `any`, `!`, a cast through unknown, suppressed checks, reading the
 * environment, long files.
 */
export function sourceProblems(file: SourceFile): string[] {
	const lines = file.text.split("\n").length - 1;
	return [
		...(lines >= MAX_LINES ? [`${file.path} has ${lines} lines; ${MAX_LINES} or more usually hold two things`] : []),
		...suppressions(file),
		...syntaxNodes(file).flatMap((node) => {
			const problem = nodeProblem(node, file);
			return problem === undefined ? [] : [`${file.path}:${lineOf(file.text, node.start)} ${problem}`];
		}),
	];
}

/** Paths and hosts that exist only on one machine: the given folders (the checkout, a home), and hosts of package registries. */
export function placesOfOneMachine({ path, text }: SourceFile, folders: readonly string[]): string[] {
	// A folder's name inside a longer path is a different path.
	const places = folders.map((folder) => new RegExp(`(?<![\\w.)-])${RegExp.escape(folder)}`));
	return text.split("\n").flatMap((line, index) => {
		const found = places.map((place) => place.exec(line)?.[0]).find((place) => place !== undefined) ?? registryHost.exec(line)?.[0];
		return found === undefined ? [] : [`${path}:${index + 1} names ${found}`];
	});
}

const registryHost = /\btarball: ?https?:|https?:\/\/[\w.-]*(?:registry|nexus|artifactory|verdaccio)[\w.-]*(?=[/:"'\s]|$)/;

function nodeProblem(node: SyntaxNode, file: SourceFile): string | undefined {
	switch (node.type) {
		case "TSAnyKeyword":
			return "says any";
		case "TSNonNullExpression":
			return "asserts that a value is there (!)";
		case "TSAsExpression":
			return castsThroughUnknown(node) ? "casts through unknown" : undefined;
		case "MemberExpression":
			return readsEnvironment(node) && !environmentReaders.test(file.path) ? "reads the environment" : undefined;
		default:
			return undefined;
	}
}

function castsThroughUnknown({ expression }: SyntaxNode): boolean {
	if (!isNode(expression) || expression.type !== "TSAsExpression") return false;
	return isNode(expression.typeAnnotation) && expression.typeAnnotation.type === "TSUnknownKeyword";
}

function readsEnvironment({ object, property }: SyntaxNode): boolean {
	return isNode(object) && object.name === "process" && isNode(property) && property.name === "env";
}

function suppressions(file: SourceFile): string[] {
	const pattern = /@ts-(?:ignore|expect-error|nocheck)|biome-ignore(?!\s+\S+:\s*\S)/;
	return comments(file).flatMap(({ value, start }) => {
		const found = pattern.exec(value)?.[0];
		return found === undefined ? [] : [`${file.path}:${lineOf(file.text, start)} suppresses a check (${found})`];
	});
}
