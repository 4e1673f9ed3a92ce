import { join } from "node:path";
import { type Mutant, mutantProblems, patchedText, readMutants } from "./mutants/mutant.ts";
import { RepositoryCopy } from "./mutants/repository-copy.ts";
import { TestRunner } from "./mutants/test-runner.ts";
import { repositoryRoot } from "./repository.ts";

/** Tests spend much of their time waiting for their own time limit, which is how they detect a patch. */
const WORKERS = 3;

/** A copy to change, and the runner of its tests. */
interface Bench {
	readonly copy: RepositoryCopy;
	readonly runner: TestRunner;
}

/** One task: returns what went wrong, or undefined. */
type Task = (bench: Bench) => Promise<string | undefined>;

interface NamedTask {
	readonly name: string;
	readonly run: Task;
}

/** Runs the tests without a patch: a test that always fails would seem to catch everything. */
function baselines(mutants: readonly Mutant[]): NamedTask[] {
	return [...Map.groupBy(mutants, baselineName)].flatMap(([name, [first, ...rest]]) => {
		if (first === undefined) return [];
		const names = [first, ...rest].map(({ test }) => test.name ?? "");
		return [{ name, run: (bench: Bench) => baselineProblem(bench, first.test, names) }];
	});
}

function baselineName({ test }: Mutant): string {
	return `unpatched ${test.project} ${test.file}`;
}

async function baselineProblem(
	{ runner }: Bench,
	{ project, file }: Mutant["test"],
	names: readonly string[],
): Promise<string | undefined> {
	const wanted = names.includes("") ? [] : [...new Set(names)];
	const { passed, failed, ran, output } = await runner.run({ project, file, names: wanted, changed: [] });
	if (failed > 0 || passed === 0) return `${passed} passed, ${failed} failed without any patch\n${output}`;
	const missing = names.filter((name) => !ran.some((title) => title.includes(name)));
	return missing.length === 0 ? undefined : `no test is named ${missing.join(", ")}`;
}

function attempt(mutant: Mutant): NamedTask {
	const { project, file, name } = mutant.test;
	const names = name === undefined ? [] : [name];
	const run: Task = ({ copy, runner }) =>
		copy.withText(
			mutant.file,
			(text) => patchedText(mutant, text),
			async () => {
				const { passed, failed, output } = await runner.run({ project, file, names, changed: [join(copy.root, mutant.file)] });
				if (failed > 0) return undefined;
				return passed > 0 ? "survived: the test passes with the patch" : `no test ran to an end with the patch\n${output}`;
			},
		);
	return { name: `${mutant.id}: ${mutant.promise}`, run };
}

/** Runs the tasks, each worker in its own copy; returns the names of those that failed. */
async function runAll(tasks: readonly NamedTask[], benches: readonly Bench[]): Promise<ReadonlySet<string>> {
	const queue = [...tasks];
	const failures = new Set<string>();
	const work = async (bench: Bench) => {
		for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
			const started = performance.now();
			const problem = await task.run(bench);
			if (problem !== undefined) failures.add(task.name);
			const seconds = ((performance.now() - started) / 1000).toFixed(1);
			console.log(
				`${problem === undefined ? "ok    " : "FAILED"} ${task.name} (${seconds} s)${problem === undefined ? "" : `\n       ${problem}`}`,
			);
		}
	};
	await Promise.all(benches.map(work));
	return failures;
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
	const workers = Array.from({ length: Math.min(WORKERS, mutants.length) }, () => {
		const copy = opened.use(new RepositoryCopy(repositoryRoot));
		return { copy, runner: opened.use(new TestRunner(copy.root)) };
	});
	process.once("SIGINT", () => {
		opened.dispose();
		process.exit(130);
	});
	const unsound = await runAll(baselines(mutants), workers);
	// A test that fails without a patch proves nothing about a patch.
	const [vain, sound] = [mutants.filter((one) => unsound.has(baselineName(one))), mutants.filter((one) => !unsound.has(baselineName(one)))];
	for (const { id, promise, test } of vain) console.log(`FAILED ${id}: ${promise}\n       not tried: ${test.file} fails without it`);
	const failed = vain.length + (await runAll(sound.map(attempt), workers)).size;
	console.log(`${mutants.length - failed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

await main(process.argv.slice(2));
