import type { Mutant } from "./mutant.ts";
import type { TestOutcome } from "./test-outcome.ts";

/** What running the tests of some mutants without any patch says about these mutants. */
export interface Baseline {
	/** Why none of them can be tried. Absent: they can, but for those in `unnamed`. */
	readonly problem?: string;
	/** The mutants whose test is not there: nothing could catch them. It says nothing about the others. */
	readonly unnamed: readonly Mutant[];
}

/** A test that always fails would seem to catch everything, so none may fail without a patch. */
export function judgeBaseline(mutants: readonly Mutant[], { passed, failed, ran, output }: TestOutcome): Baseline {
	if (failed > 0 || output !== "") return { problem: `${passed} passed, ${failed} failed without any patch\n${output}`, unnamed: [] };
	return { unnamed: mutants.filter((mutant) => !hasNamedTest(mutant, ran)) };
}

/** Whether the mutant's test is among these, each with the full name that the runner gives it. */
export function hasNamedTest({ test }: Mutant, tests: readonly { readonly file: string; readonly fullName: string }[]): boolean {
	return tests.some(({ file, fullName }) => file === test.file && fullName.replaceAll(" > ", " ").includes(test.name ?? ""));
}

/** Why a mutant without a test fails. */
export function unnamedWords({ test: { file, name } }: Mutant): string {
	return name === undefined ? `not tried: no test of ${file} runs` : `not tried: no test that runs in ${file} has the name "${name}"`;
}
