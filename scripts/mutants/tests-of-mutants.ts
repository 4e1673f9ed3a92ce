import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { repositoryRoot } from "../repository.ts";
import { hasNamedTest } from "./baseline.ts";
import { readMutants } from "./mutant.ts";

/**
 * Fails a run whose test files no longer have the test that a mutant names. Only a whole run of the mutants would find out otherwise, and
 * a test is easily given another name. Says nothing of runs that were filtered by name or ended early.
 */
export class TestsOfMutants implements Reporter {
	#vitest: Vitest | undefined;

	onInit(vitest: Vitest): void {
		this.#vitest = vitest;
	}

	onTestRunEnd(modules: readonly TestModule[], _errors: readonly unknown[], reason: string): void {
		if (reason === "interrupted" || this.#vitest?.getGlobalTestNamePattern() !== undefined) return;
		const collected = modules.filter((module) => module.errors().length === 0);
		const places = new Set(collected.map((module) => `${module.project.name} ${pathOf(module)}`));
		const tests = collected.flatMap((module) =>
			[...module.children.allTests()].map(({ fullName }) => ({ file: pathOf(module), fullName })),
		);
		const mutants = readMutants(repositoryRoot).filter(({ test }) => places.has(`${test.project} ${test.file}`));
		const unnamed = mutants.filter((mutant) => !hasNamedTest(mutant, tests));
		for (const { id, test } of unnamed)
			console.error(`Mutant without a test: ${id} (${test.file} has no test with the name "${test.name}")`);
		if (unnamed.length > 0) process.exitCode = 1;
	}
}

const pathOf = ({ moduleId }: TestModule) => relative(repositoryRoot, moduleId).replaceAll("\\", "/");
