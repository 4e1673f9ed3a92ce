import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Baseline, judgeBaseline, unnamedWords } from "./mutants/baseline.ts";
import { type Mutant, mutantProblems, patchedText, readMutants } from "./mutants/mutant.ts";
import { RepositoryCopy } from "./mutants/repository-copy.ts";
import { TestRunner } from "./mutants/test-runner.ts";
import { repositoryRoot } from "./repository.ts";

/** Many tests wait, most of all those that a patch makes wait for their time limit: five of them keep two cores busy. */
const WORKERS = 5;

/**
 * So many of them begin with the slow projects; the others help once they have nothing else. With more of these tests at once, which start
 * processes and browsers, some fail on a slow machine without any patch.
 */
const SLOW_WORKERS = 2;

/** The projects whose tests take longest. They start first, so that few workers are left with one at the end. */
const SLOW_PROJECTS: readonly string[] = ["e2e", "browser", "house"];

/** A copy to change, and the runner of its tests. */
interface Bench {
	readonly copy: RepositoryCopy;
	readonly runner: TestRunner;
}

/** Mutants that tests of one file have to catch. */
type MutantsOfFile = readonly [Mutant, ...Mutant[]];

/** Files of one project, whose tests run in one go without a patch: starting a run takes longer than most tests. */
type Batch = readonly [MutantsOfFile, ...MutantsOfFile[]];

/** So few that the workers end at about the same time. */
const BATCH_FILES = 6;

/** By the files of their tests; those that take longest come first. */
function mutantsInBatches(mutants: readonly Mutant[]): { readonly slow: Batch[]; readonly quick: Batch[] } {
	const files = [...Map.groupBy(mutants, ({ test }) => `${test.project} ${test.file}`).values()].flatMap((group) => nonEmpty(group));
	const isQuick = ([{ test }]: MutantsOfFile) => !SLOW_PROJECTS.includes(test.project);
	// All tests of a file are too many to run for the sake of another file's.
	const isShared = (file: MutantsOfFile) => isQuick(file) && namesOf(file).length > 0;
	const size = (batch: Batch) => batch.reduce((sum, file) => sum + file.length, 0);
	const alone = files.filter((file) => !isShared(file)).map((file): Batch => [file]);
	const shared = [...Map.groupBy(files.filter(isShared), ([{ test }]) => test.project).values()].flatMap((ofProject) =>
		Array.from({ length: Math.ceil(ofProject.length / BATCH_FILES) }, (_, index) =>
			ofProject.slice(index * BATCH_FILES, (index + 1) * BATCH_FILES),
		).flatMap((batch) => nonEmpty(batch)),
	);
	const all = [...alone, ...shared].toSorted((a, b) => size(b) - size(a));
	return { slow: all.filter(([file]) => !isQuick(file)), quick: all.filter(([file]) => isQuick(file)) };
}

function nonEmpty<T>([first, ...rest]: readonly T[]): [T, ...T[]][] {
	return first === undefined ? [] : [[first, ...rest]];
}

/** The names of the tests of a file's mutants; none if one of these wants the whole file. */
function namesOf(mutants: MutantsOfFile): readonly string[] {
	const names = mutants.map(({ test }) => test.name ?? "");
	return names.includes("") ? [] : [...new Set(names)];
}

async function baselineOf({ runner }: Bench, batch: Batch): Promise<Baseline> {
	const files = batch.map(([{ test }]) => test.file);
	const { project } = batch[0][0].test;
	const mutants = batch.flat();
	return judgeBaseline(mutants, await runner.run({ project, files, names: batch.flatMap(namesOf), changed: [] }));
}

function survival({ copy, runner }: Bench, mutant: Mutant): Promise<string | undefined> {
	const { project, file, name } = mutant.test;
	const names = name === undefined ? [] : [name];
	return copy.withText(
		mutant.file,
		(text) => patchedText(mutant, text),
		async () => {
			const { passed, failed, output } = await runner.run({ project, files: [file], names, changed: [join(copy.root, mutant.file)] });
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

/** The mutants that failed, and those that were not tried because the time was over. */
interface Tried {
	readonly failed: readonly string[];
	readonly untried: readonly string[];
}

const idsOf = (mutants: readonly Mutant[]) => mutants.map(({ id }) => id);

/** A worker keeps to its files of tests, whose modules it has already transformed. */
async function tryAll(bench: Bench, batch: Batch, isOver: () => boolean): Promise<Tried> {
	if (isOver()) return { failed: [], untried: idsOf(batch.flat()) };
	const [[{ test }], ...others] = batch;
	let baseline: Baseline = { unnamed: [] };
	const problem = async () => {
		baseline = await baselineOf(bench, batch);
		return baseline.problem;
	};
	if (others.length > 0 && (await problem()) !== undefined) return tryEachFile(bench, batch, isOver);
	// All mutants of a file depend on this, so one slow moment of the machine must not decide it.
	const problemTwice = async () => ((await problem()) === undefined ? undefined : problem());
	if (others.length === 0 && (await hasProblem(`unpatched ${test.project} ${test.file}`, problemTwice))) {
		for (const { id, promise } of batch[0]) console.log(`FAILED ${id}: ${promise}\n       not tried: ${test.file} fails without it`);
		return { failed: idsOf(batch[0]), untried: [] };
	}
	for (const mutant of baseline.unnamed) console.log(`FAILED ${mutant.id}: ${mutant.promise}\n       ${unnamedWords(mutant)}`);
	const left = batch.flat().filter((mutant) => !baseline.unnamed.includes(mutant));
	const failed: string[] = [...idsOf(baseline.unnamed)];
	for (let next = isOver() ? undefined : left.shift(); next !== undefined; next = isOver() ? undefined : left.shift()) {
		const mutant = next;
		if (await hasProblem(`${mutant.id}: ${mutant.promise}`, () => survival(bench, mutant))) failed.push(mutant.id);
	}
	return { failed, untried: idsOf(left) };
}

/** Finds the file whose tests fail, and tries the mutants of the others. */
async function tryEachFile(bench: Bench, batch: Batch, isOver: () => boolean): Promise<Tried> {
	const tried: Tried[] = [];
	for (const file of batch) tried.push(await tryAll(bench, [file], isOver));
	return together(tried);
}

function together(tried: readonly Tried[]): Tried {
	return { failed: tried.flatMap(({ failed }) => failed), untried: tried.flatMap(({ untried }) => untried) };
}

/** With a bound in seconds, it stops at that time, says which mutants it didn't try, and judges the others. */
async function main(wanted: readonly string[], boundS: number): Promise<void> {
	const isOver = () => performance.now() > boundS * 1000;
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
	const { slow, quick } = mutantsInBatches(mutants);
	const workers = Math.min(WORKERS, slow.length + quick.length);
	const work = async (index: number) => {
		const copy = opened.use(new RepositoryCopy(repositoryRoot));
		const bench = { copy, runner: opened.use(new TestRunner(copy.root)) };
		const tried: Tried[] = [];
		const [own, others] = index < SLOW_WORKERS ? [slow, quick] : [quick, slow];
		const take = () => own.shift() ?? others.shift();
		for (let next = take(); next !== undefined; next = take()) tried.push(await tryAll(bench, next, isOver));
		return together(tried);
	};
	const { failed, untried } = together(await Promise.all(Array.from({ length: workers }, (_, index) => work(index))));
	if (untried.length > 0) console.log(`Out of time: ${untried.length} of ${mutants.length} mutants not tried: ${untried.join(" ")}`);
	console.log(`${mutants.length - failed.length - untried.length} passed, ${failed.length} failed`);
	process.exitCode = failed.length === 0 ? 0 : 1;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { within: { type: "string" } } });
await main(positionals, values.within === undefined ? Number.POSITIVE_INFINITY : Number(values.within));
