import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeBaseline, unnamedWords } from "../mutants/baseline.ts";
import { type Mutant, mutantProblems, patchedText } from "../mutants/mutant.ts";
import { RepositoryCopy } from "../mutants/repository-copy.ts";
import { TestRunner } from "../mutants/test-runner.ts";
import { repositoryRoot } from "../repository.ts";

const mutant: Mutant = {
	id: "m",
	promise: "p",
	file: "contracts/src/runs/status.ts",
	search: "never changes again",
	replace: "$& may change",
	test: { project: "contracts", file: "contracts/test/thread.test.ts", name: "does not exist for a" },
};

describe("a mutant", () => {
	it("replaces its search text, taking the replacement literally", () => {
		expect(patchedText(mutant, "a never changes again b")).toBe("a $& may change b");
	});

	it.each(["nothing here", "never changes again, never changes again"])("is refused for %j", (text) => {
		expect(() => patchedText(mutant, text)).toThrow(RangeError);
	});

	it("is found wanting when its file, its text or its test is not there", () => {
		expect(mutantProblems(mutant, repositoryRoot)).toEqual([]);
		expect(mutantProblems({ ...mutant, file: "contracts/src/gone.ts" }, repositoryRoot)).toHaveLength(1);
		expect(mutantProblems({ ...mutant, search: "status" }, repositoryRoot)).toHaveLength(1);
		expect(mutantProblems({ ...mutant, replace: mutant.search }, repositoryRoot)).toHaveLength(1);
		expect(mutantProblems({ ...mutant, test: { ...mutant.test, file: "contracts/test/gone.test.ts" } }, repositoryRoot)).toHaveLength(1);
	});
});

describe("the tests of mutants without a patch", () => {
	const renamed: Mutant = { ...mutant, id: "renamed", test: { ...mutant.test, name: "has an old name" } };
	const ran = [{ file: mutant.test.file, fullName: "a thread > does not exist for a bridge" }];

	it("leave out the mutant alone whose test is not named so any more, and say so", () => {
		const { problem, unnamed } = judgeBaseline([mutant, renamed], { passed: 1, failed: 0, ran, output: "" });
		expect([problem, unnamed]).toEqual([undefined, [renamed]]);
		expect(unnamed.map(unnamedWords)).toEqual([`not tried: no test that runs in ${mutant.test.file} has the name "has an old name"`]);
		expect(judgeBaseline([renamed], { passed: 0, failed: 0, ran: [], output: "" })).toEqual({ unnamed: [renamed] });
	});

	it.each([
		{ passed: 1, failed: 1, ran, output: "" },
		{ passed: 0, failed: 0, ran: [], output: "the test runner hung or ended" },
	])("are a problem of all of them when they fail or don't run to their end: $passed passed, $failed failed", (outcome) => {
		expect(judgeBaseline([mutant, renamed], outcome)).toMatchObject({ problem: expect.any(String), unnamed: [] });
	});
});

describe("a copy of the repository", () => {
	it("resolves the workspace's packages inside itself, shares what is installed, and restores what was changed", async () => {
		let root: string;
		{
			using copy = new RepositoryCopy(repositoryRoot);
			root = copy.root;
			expect(realpathSync(join(root, "bridge/node_modules/@xworkmate/contracts"))).toBe(realpathSync(join(root, "contracts")));
			expect(realpathSync(join(root, "node_modules"))).toBe(realpathSync(join(repositoryRoot, "node_modules")));
			expect(lstatSync(join(root, "contracts/node_modules/zod")).isSymbolicLink()).toBe(true);
			const text = readFileSync(join(root, "knip.json"), "utf8");
			await copy.withText(
				"knip.json",
				() => "changed",
				async () => expect(readFileSync(join(root, "knip.json"), "utf8")).toBe("changed"),
			);
			expect(readFileSync(join(root, "knip.json"), "utf8")).toBe(text);
		}
		expect(existsSync(root)).toBe(false);
		expect(existsSync(join(repositoryRoot, "node_modules"))).toBe(true);
	});

	it("runs tests that see its own sources, changed and changed back", async () => {
		using copy = new RepositoryCopy(repositoryRoot);
		using runner = new TestRunner(copy.root);
		const { project, file, name } = mutant.test;
		const request = { project, files: [file], names: [name ?? ""], changed: [] };
		expect(await runner.run(request)).toMatchObject({ passed: 2, failed: 0 });
		const path = "contracts/src/runs/status.ts";
		const patched = await copy.withText(
			path,
			(text) => text.replace('status !== "queued" && status !== "running"', "true"),
			() => runner.run({ ...request, changed: [join(copy.root, path)] }),
		);
		expect(patched.passed).toBe(0);
		expect(patched.failed).toBeGreaterThan(0);
		const other = await runner.run({ project, files: ["contracts/test/scope.test.ts"], names: [], changed: [] });
		expect(other.failed, "what failed before is none of another file").toBe(0);
		expect(other.ran.filter(({ fullName }) => fullName.includes(name ?? ""))).toEqual([]);
		const both = await runner.run({ ...request, files: [file, "contracts/test/scope.test.ts"], names: [name ?? "", "readable slug"] });
		expect(both.failed, "what failed before is over").toBe(0);
		expect(new Set(both.ran.map((test) => test.file))).toEqual(new Set([file, "contracts/test/scope.test.ts"]));
	});
});
