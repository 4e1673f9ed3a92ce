import { describe, expect, it } from "vitest";
import { bareCommands, binaryUnits, errorTextProblems, straightApostrophes } from "../house/error-texts.ts";
import { repositoryFiles, typescriptFiles } from "../house/source-file.ts";
import { repositoryRoot } from "../repository.ts";

const files = repositoryFiles(repositoryRoot);
const product = typescriptFiles(files).filter(({ path }) => /^(?:app|bridge|contracts)\/src\//.test(path));
const catalogue = product.filter(({ path }) => path.startsWith("app/src/strings/"));
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

	it("has one kind of apostrophe in the page's catalogue", () => {
		expect(catalogue.length).toBeGreaterThan(30);
		expect(catalogue.flatMap(straightApostrophes)).toEqual([]);
	});

	it("[D23] gives sizes in powers of 1000 in every document", () => {
		expect(documents.flatMap(binaryUnits)).toEqual([]);
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

	it("finds an apostrophe that is straight, and leaves comments alone", () => {
		const text = ["// It's a comment.", 'const x = { a: "It isn\'t.", b: `threads\'`, c: "It isn’t." };'].join("\n");
		expect(straightApostrophes({ path: "a.ts", text })).toEqual([
			"a.ts:2 has ' instead of ’: It isn't.",
			"a.ts:2 has ' instead of ’: threads'",
		]);
	});

	it("finds sizes in powers of 1024, and the wrong kilobyte", () => {
		expect(binaryUnits({ path: "a.md", text: "10 MB\n10 MiB\n64 KB\n64 kB" })).toEqual(["a.md:2 10 MiB", "a.md:3 64 KB"]);
	});

	it("finds a command that is not on PATH, and leaves comments alone", () => {
		expect(bareCommands({ path: "a.md", text: "Run `xworkmate open`.\nRun `npm run -s xworkmate -- open`.\n// xworkmate open" })).toEqual([
			expect.stringContaining("a.md:1"),
		]);
	});

	it("finds any command in code that is not as it is typed in a checkout", () => {
		const text = 'fix: "List them: `xworkmate contacts list`.",\nfix: "List them: `npm run -s xworkmate -- contacts list`.",';
		expect(bareCommands({ path: "a.ts", text })).toEqual([expect.stringContaining("a.ts:1")]);
	});

	it("takes a command for installed after the line of its block that installs it, and no further", () => {
		const block = ["```sh", "npm install -g ./x.tgz", "xworkmate start", "```", "Run `xworkmate open`."].join("\n");
		expect(bareCommands({ path: "a.md", text: block })).toEqual([expect.stringContaining("a.md:5")]);
	});
});
