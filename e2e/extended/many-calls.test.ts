import { expect, it } from "vitest";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { longPrograms, manyCallsAndLines } from "../support/hostile/heavy-programs.ts";
import { endProblem } from "../support/hostile/hostile-input.ts";
import { busyProcesses } from "../support/machine/busy-processes.ts";
import { runProgram } from "../support/wire/run-program.ts";

/**
 * One program of a part of the calls in every extended run, because what keeps the machine busy holds up the other files too; with
 * MANY_CALLS_ROUNDS so many rounds of four whole ones at once, which takes minutes each.
 */
const ROUNDS = Number(process.env.MANY_CALLS_ROUNDS ?? 1);
const [AT_ONCE, CALLS] = process.env.MANY_CALLS_ROUNDS === undefined ? [1, 9_000] : [4, 45_000];
const BOUND_MS = 15 * 60_000;

// First, while the files that start beside this one wait (scripts/longest-first.ts).
it(`completes ${ROUNDS * AT_ONCE} programs of ${CALLS} calls and as many console lines while the machine is busy`, {
	timeout: 75 * 60_000,
}, async () => {
	await using bridge = await startBridge({ env: { XWORKMATE_MAX_ACTIVE_RUNS: String(AT_ONCE), XWORKMATE_LOG_LEVEL: "warn" } });
	using _busy = busyProcesses(2);
	const program = manyCallsAndLines(CALLS);
	const problems: string[] = [];
	for (let round = 1; round <= ROUNDS; round++) {
		const ends = await Promise.all(
			Array.from({ length: AT_ONCE }, () => runProgram(bridge.client(), program.prompt, { boundMs: BOUND_MS })),
		);
		console.log(`round ${round}: ${ends.map(({ ms }) => `${(ms / 1_000).toFixed(1)} s`).join(", ")}`);
		problems.push(...ends.flatMap((end) => endProblem(program, end) ?? []));
	}
	expect(problems).toEqual([]);
});

it.for(longPrograms.map((program) => [program.name, program] as const))("completes %s", { timeout: BOUND_MS }, async ([, program]) => {
	await using bridge = await startBridge();
	expect(endProblem(program, await runProgram(bridge.client(), program.prompt, { boundMs: BOUND_MS }))).toBeUndefined();
});
