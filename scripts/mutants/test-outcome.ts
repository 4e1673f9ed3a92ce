import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readTextIfPresent } from "../read-text.ts";
import type { Mutant } from "./mutant.ts";

/** No test of a mutant takes this long; one that does hangs, which is no failure of an expectation. */
const BOUND_MS = 180_000;

const Report = z.object({
	numPassedTests: z.int(),
	numFailedTests: z.int(),
	testResults: z.array(
		z.object({ message: z.string().optional(), assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) }),
	),
});

export interface TestOutcome {
	readonly passed: number;
	readonly failed: number;
	/** Full names of the tests that ran. */
	readonly ran: readonly string[];
	/** The end of what the runner printed. */
	readonly output: string;
}

/** Runs the tests of one file below a root, those that contain one of the names, or all of them when there is none. */
export async function runTests(root: string, test: Mutant["test"], names: readonly string[]): Promise<TestOutcome> {
	const folder = mkdtempSync(join(tmpdir(), "xworkmate-report-"));
	try {
		const report = join(folder, "report.json");
		const pattern = names.map((name) => RegExp.escape(name)).join("|");
		const args = [
			join(root, "node_modules", "vitest", "vitest.mjs"),
			...["run", "--project", test.project, "--reporter=json", `--outputFile=${report}`],
			...(pattern === "" ? [] : ["--testNamePattern", pattern]),
			test.file,
		];
		const output = await printedBy(args, root);
		return outcomeOf(readTextIfPresent(report), output);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const running = new Set<number>();

/** Ends what is under way, for when the whole is broken off. */
export function endRunningTests(): void {
	for (const pid of running) process.kill(-pid, "SIGKILL");
}

async function printedBy(args: readonly string[], cwd: string): Promise<string> {
	// A group of its own, so that the bound also ends what the tests started.
	const runner = spawn(process.execPath, args, {
		cwd,
		detached: true,
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, NO_COLOR: "1" },
	});
	let output = "";
	const keep = (chunk: string) => {
		output = (output + chunk).slice(-4000);
	};
	runner.stdout.setEncoding("utf8").on("data", keep);
	runner.stderr.setEncoding("utf8").on("data", keep);
	const { pid } = runner;
	if (pid === undefined) throw new Error("the test runner did not start");
	running.add(pid);
	const timer = setTimeout(() => process.kill(-pid, "SIGKILL"), BOUND_MS);
	await once(runner, "close");
	clearTimeout(timer);
	running.delete(pid);
	return output;
}

function outcomeOf(report: string | undefined, output: string): TestOutcome {
	if (report === undefined) return { passed: 0, failed: 0, ran: [], output };
	const { numPassedTests, numFailedTests, testResults } = Report.parse(JSON.parse(report));
	const ran = testResults.flatMap(({ assertionResults }) => assertionResults);
	const messages = testResults.map(({ message }) => message ?? "").join("\n");
	return {
		passed: numPassedTests,
		failed: numFailedTests,
		ran: ran.filter(({ status }) => status === "passed" || status === "failed").map(({ fullName }) => fullName),
		output: `${messages}${output}`,
	};
}
