import { expect, it } from "vitest";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { BridgeWatch } from "../../support/bridge/bridge-watch.ts";
import { describeHostile, harm } from "../../support/hostile/describe-hostile.ts";
import { heavyPrograms } from "../../support/hostile/heavy-programs.ts";
import { endProblem } from "../../support/hostile/hostile-input.ts";
import { languageInputs } from "../../support/hostile/language-inputs.ts";
import { endlessInputs, limitInputs, SMALL_BUDGET_MS, stuckInput } from "../../support/hostile/limit-inputs.ts";
import { valueInputs } from "../../support/hostile/value-inputs.ts";
import { runProgram } from "../../support/wire/run-program.ts";

const BOUND_MS = 60_000;

// The slow ones are in the extended tests.
describeHostile(
	"a hostile or a heavy program",
	[...languageInputs, ...valueInputs, ...limitInputs, ...heavyPrograms].filter(({ isSlow }) => isSlow !== true),
	BOUND_MS,
);

it("ends endless programs when their time is over, and not before", { timeout: 2 * BOUND_MS }, async () => {
	await using bridge = await startBridge({
		env: { XWORKMATE_MAX_ACTIVE_RUNS: "4", XWORKMATE_RUN_BUDGET_MS: String(SMALL_BUDGET_MS), XWORKMATE_DEADLINE_GRACE_MS: "2000" },
	});
	await using watch = new BridgeWatch(bridge);
	await runProgram(bridge.client(), "return 'the type checker is warm'");
	const watched = await watch.during(() =>
		Promise.all(
			[...endlessInputs, stuckInput].map(async (input) => ({
				input,
				end: await runProgram(bridge.client(), input.prompt, { boundMs: BOUND_MS }),
			})),
		),
	);
	const problems = watched.result.flatMap(({ input, end }) => endProblem(input, end) ?? []);
	const early = watched.result
		.filter(({ input, end }) => input !== stuckInput && end.ms < SMALL_BUDGET_MS * 0.95)
		.map(({ input, end }) => `${input.name} after ${end.ms} ms`);
	expect([...problems, ...early, ...harm(watched)]).toEqual([]);
});
