import { join } from "node:path";
import { type Mutant, mutantProblems, patchedText, readMutants } from "./mutants/mutant.ts";
import { RepositoryCopy } from "./mutants/repository-copy.ts";
import { TestRunner } from "./mutants/test-runner.ts";
import { repositoryRoot } from "./repository.ts";

/** Many tests wait, most of all those that a patch makes wait for their time limit: five of them keep two cores busy. */
const WORKERS = 5;

/** The projects whose tests take longest. They start first, so that no worker is left with one at the end. */
const SLOW_PROJECTS: readonly string[] = ["e2e", "browser", "house"];

/** A copy to change, and the runner of its tests. */
interface Bench {
	readonly copy: RepositoryCopy;
	readonly runner: TestRunner;
}

/** Mutants that tests of one file have to catch. */
type MutantsOfFile = readonly [Mutant, ...Mutant[]];

/** By the file of their tests; those that take longest come first. */
function mutantsByTestFile(mutants: readonly Mutant[]): MutantsOfFile[] {
	const groups = [...Map.groupBy(mutants, ({ test }) => `${test.project} ${test.file}`).values()];
	const isQuick = ([{ test }]: MutantsOfFile) => !SLOW_PROJECTS.includes(test.project);
	return groups
		.flatMap(([first, ...rest]): MutantsOfFile[] => (first === undefined ? [] : [[first, ...rest]]))
		.toSorted((a, b) => Number(isQuick(a)) - Number(isQuick(b)) || b.length - a.length);
}

/** What is wrong with the tests without a patch: a test that always fails would seem to catch everything. */
async function baselineProblem({ runner }: Bench, mutants: MutantsOfFile): Promise<string | undefined> {
	const [{ test }] = mutants;
	const names = mutants.map((mutant) => mutant.test.name ?? "");
	const wanted = names.includes("") ? [] : [...new Set(names)];
	const { passed, failed, ran, output } = await runner.run({ project: test.project, file: test.file, names: wanted, changed: [] });
	if (failed > 0 || passed === 0) return `${passed} passed, ${failed} failed without any patch\n${output}`;
	const missing = names.filter((name) => !ran.some((title) => title.includes(name)));
	return missing.length === 0 ? undefined : `no test is named ${missing.join(", ")}`;
}

function survival({ copy, runner }: Bench, mutant: Mutant): Promise<string | undefined> {
	const { project, file, name } = mutant.test;
	const names = name === undefined ? [] : [name];
	return copy.withText(
		mutant.file,
		(text) => patchedText(mutant, text),
		async () => {
			const { passed, failed, output } = await runner.run({ project, file, names, changed: [join(copy.root, mutant.file)] });
			if (failed > 0) return undefined;
			return passed > 0 ? "survived: the test passes with the patch" : `no test ran to an end with the patch\n${output}`;
		},
	);
}

/** Says how a task went, and how long it took; returns whether it found a problem. */
async function hasProblem(name: string, task: () => Promise<string | undefined>): Promise<boolean> {
	const started = performance.now();
	const problem = await task();
	const seconds = ((performance.now() - started) / 1000).toFixed(1);
	console.log(`${problem === undefined ? "ok    " : "FAILED"} ${name} (${seconds} s)${problem === undefined ? "" : `\n       ${problem}`}`);
	return problem !== undefined;
}

/** Returns how many failed. A worker keeps to one file of tests, whose modules it has already transformed. */
async function tryAll(bench: Bench, mutants: MutantsOfFile): Promise<number> {
	const [{ test }] = mutants;
	if (await hasProblem(`unpatched ${test.project} ${test.file}`, () => baselineProblem(bench, mutants))) {
		for (const { id, promise } of mutants) console.log(`FAILED ${id}: ${promise}\n       not tried: ${test.file} fails without it`);
		return mutants.length;
	}
	let failed = 0;
	for (const mutant of mutants) if (await hasProblem(`${mutant.id}: ${mutant.promise}`, () => survival(bench, mutant))) failed++;
	return failed;
}

async function main(wanted: readonly string[]): Promise<void> {
	const mutants = readMutants(repositoryRoot).filter(({ id }) => wanted.length === 0 || wanted.some((part) => id.includes(part)));
	const problems = mutants.flatMap((mutant) => mutantProblems(mutant, repositoryRoot));
	for (const problem of problems) console.log(`FAILED ${problem}`);
	if (problems.length > 0 || mutants.length === 0) {
		console.log(`0 passed, ${Math.max(problems.length, 1)} failed`);
		process.exitCode = 1;
		return;
	}
	using opened = new DisposableStack();
	process.once("SIGINT", () => {
		opened.dispose();
		process.exit(130);
	});
	const queue = mutantsByTestFile(mutants);
	const work = async () => {
		const copy = opened.use(new RepositoryCopy(repositoryRoot));
		const bench = { copy, runner: opened.use(new TestRunner(copy.root)) };
		let failed = 0;
		for (let next = queue.shift(); next !== undefined; next = queue.shift()) failed += await tryAll(bench, next);
		return failed;
	};
	const failures = await Promise.all(Array.from({ length: Math.min(WORKERS, queue.length) }, work));
	const failed = failures.reduce((sum, ofWorker) => sum + ofWorker, 0);
	console.log(`${mutants.length - failed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

await main(process.argv.slice(2));
