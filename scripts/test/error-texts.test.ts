import { describe, expect, it } from "vitest";
import { bareCommands, errorTextProblems } from "../house/error-texts.ts";
import { repositoryFiles, typescriptFiles } from "../house/source-file.ts";
import { repositoryRoot } from "../repository.ts";

const files = repositoryFiles(repositoryRoot);
const product = typescriptFiles(files).filter(({ path }) => /^(?:app|bridge|contracts)\/src\//.test(path));
/** What was decided and released stays as it was written. */
const documents = files.filter(
	({ path }) => path.endsWith(".md") && !/^(?:docs\/decisions\/|CHANGELOG|openclaw-plugins\/node_modules)/.test(path),
);

describe("what a user reads", () => {
	it("[D33] of every error is whole sentences in plain English", () => {
		expect(product.flatMap(errorTextProblems)).toEqual([]);
	});

	it("[D12] names commands that work as they are printed, in every text and document", () => {
		expect([...product, ...documents].flatMap(bareCommands)).toEqual([]);
	});
});

describe("the rule", () => {
	const problemsOf = (text: string) => errorTextProblems({ path: "a.ts", text });

	it.each([
		['new AppError("CODE", "there is none", "Look.");', "begins with a small letter"],
		['new ContractError("CODE", { detail: "There is none" });', "does not end with a full stop"],
		['new ConfigError("The home is no folder.", "Look.");', 'says "is no'],
		['throw new AppError("CODE", isFull ? "Full." : "Begin anew.", fix);', 'says "anew"'],
	])("finds %s", (text, problem) => {
		expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
	});

	it("takes a value for a word, and lets advice end with a command", () => {
		expect(problemsOf(`new AppError("CODE", \`\${path} is full: \${why}\`, \`Start it: \${commandLine("start")}\`);`)).toEqual([]);
		expect(problemsOf('new RangeError("not for a user")')).toEqual([]);
	});

	it("finds a command that is not on PATH, and leaves comments alone", () => {
		expect(bareCommands({ path: "a.md", text: "Run `xworkmate open`.\nRun `npm run -s xworkmate -- open`.\n// xworkmate open" })).toEqual([
			expect.stringContaining("a.md:1"),
		]);
	});
});
