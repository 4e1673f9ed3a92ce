/** Fails if a regular expression in production code may take more than linear time, because foreign text is matched on main threads. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import recheck from "recheck/package.json" with { type: "json" };
import { allowedExpressions } from "./house/allowed-expressions.ts";
import { expressionProblem } from "./house/expression-problem.ts";
import { type RegularExpression, regularExpressions } from "./house/regular-expressions.ts";
import { repositoryFiles, typescriptFiles } from "./house/source-file.ts";
import { repositoryRoot } from "./repository.ts";

const AT_ONCE = 2;

/** The expressions that were found to be linear, so that a check on the same machine analyses only what is new. */
const KNOWN = join(repositoryRoot, ".cache", `linear-expressions-${recheck.version}.json`);
const known = new Set<string>(readKnown());
const keyOf = ({ pattern }: RegularExpression) => (pattern === undefined ? "" : `/${pattern.source}/${pattern.flags}`);

const found = typescriptFiles(repositoryFiles(repositoryRoot))
	.filter(({ path }) => /^[^/]+\/src\//.test(path))
	.flatMap(regularExpressions);
const isAllowed = ({ path, text }: RegularExpression) =>
	allowedExpressions.some((allowed) => allowed.path === path && allowed.text === text);
const open = found.filter((expression) => !isAllowed(expression));
const unused = allowedExpressions.filter(
	({ path, text }) => !found.some((expression) => expression.path === path && expression.text === text),
);

const problems: string[] = unused.map(({ path, text }) => `${path}: /${text}/ is allowed and no longer there`);
const queue = open.values();
await Promise.all(
	Array.from({ length: AT_ONCE }, async () => {
		for (const expression of queue) {
			if (known.has(keyOf(expression))) continue;
			const problem = await expressionProblem(expression);
			if (problem !== undefined) problems.push(`${expression.place} /${expression.text}/ ${problem}`);
			else known.add(keyOf(expression));
		}
	}),
);
writeKnown(found.map(keyOf).filter((key) => known.has(key)));
for (const problem of problems) console.error(problem);
if (problems.length > 0) console.error("Make it linear, or say in scripts/house/allowed-expressions.ts why it is.");
console.log(`${found.length} regular expressions, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function readKnown(): readonly string[] {
	try {
		const read: unknown = JSON.parse(readFileSync(KNOWN, "utf8"));
		return Array.isArray(read) ? read.map(String) : [];
	} catch {
		// It is not there yet, or was cut: everything is analysed.
		return [];
	}
}

function writeKnown(keys: readonly string[]): void {
	mkdirSync(join(repositoryRoot, ".cache"), { recursive: true });
	writeFileSync(KNOWN, JSON.stringify([...new Set(keys)].sort()));
}
