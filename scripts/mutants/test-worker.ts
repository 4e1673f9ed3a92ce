import { relative } from "node:path";
import { createVitest, type TestCase } from "vitest/node";
import { type TestOutcome, TestRequest } from "./test-outcome.ts";

// A separate process in the folder of a copy: one runner for many requests, because starting one costs more than most tests.
// One failed test is enough to know. One worker at a time, because several of these processes run.
const options = { watch: false, reporters: [{}], fsModuleCache: false, bail: 1, maxWorkers: 1 };
const runner = await createVitest("test", { root: process.cwd(), ...options });
let changedBefore: readonly string[] = [];

async function run({ project, files, names, changed }: TestRequest): Promise<TestOutcome> {
	for (const path of [...changedBefore, ...changed]) runner.invalidateFile(path);
	changedBefore = changed;
	if (names.length === 0) runner.resetGlobalTestNamePattern();
	else runner.setGlobalTestNamePattern(new RegExp(names.map((name) => RegExp.escape(name)).join("|")));
	const found = await runner.globTestSpecifications([...files]);
	const wanted = found.filter((one) => one.project.name === project);
	const { testModules: all, unhandledErrors } = await runner.runTestSpecifications(wanted);
	// The runner returns every file that it has ever run; earlier requests' failures must not count here.
	const testModules = all.filter((module) => wanted.some((one) => one.moduleId === module.moduleId && one.project === module.project));
	const tests: TestCase[] = testModules.flatMap((module) => [...module.children.allTests()]);
	const stateOf = (test: TestCase) => test.result().state;
	const errors = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors];
	return {
		passed: tests.filter((test) => stateOf(test) === "passed").length,
		failed: tests.filter((test) => stateOf(test) === "failed").length,
		ran: tests
			.filter((test) => ["passed", "failed"].includes(stateOf(test)))
			.map(({ fullName, module }) => ({ file: relative(process.cwd(), module.moduleId), fullName })),
		output: errors.map((error) => (error instanceof Error ? error.message : JSON.stringify(error))).join("\n"),
	};
}

process.on("message", (message) => {
	void run(TestRequest.parse(message)).then((outcome) => process.send?.(outcome));
});
process.once("disconnect", () => process.exit());
process.send?.("ready");
