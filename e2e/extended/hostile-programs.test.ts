import { expect, it } from "vitest";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { BridgeWatch } from "../support/bridge/bridge-watch.ts";
import { describeHostile, harm } from "../support/hostile/describe-hostile.ts";
import { heavyPrograms } from "../support/hostile/heavy-programs.ts";
import { endProblem } from "../support/hostile/hostile-input.ts";
import { languageInputs } from "../support/hostile/language-inputs.ts";
import { limitInputs } from "../support/hostile/limit-inputs.ts";
import { typeBombs } from "../support/hostile/type-bombs.ts";
import { valueInputs } from "../support/hostile/value-inputs.ts";
import { runProgram } from "../support/wire/run-program.ts";

const BOUND_MS = 120_000;
const HONEST_RUN_MS = 30_000;

describeHostile(
	"a hostile or a heavy program that takes its time",
	[...languageInputs, ...valueInputs, ...limitInputs, ...heavyPrograms].filter(({ isSlow }) => isSlow === true),
	BOUND_MS,
);

it.for(typeBombs.map((bomb) => [bomb.name, bomb] as const))(
	"ends the check of %s by name, and checks the next program",
	async ([, bomb]) => {
		await using bridge = await startBridge();
		await using watch = new BridgeWatch(bridge);
		const watched = await watch.during(() => runProgram(bridge.client(), bomb.prompt, { boundMs: BOUND_MS }));
		expect([endProblem(bomb, watched.result), ...harm(watched)].filter((problem) => problem !== undefined)).toEqual([]);
		expect(await runProgram(bridge.client(), "return 1")).toMatchObject({ snapshot: { status: "completed" } });
	},
);

it("lets an honest program through while six type bombs are checked", async () => {
	await using bridge = await startBridge({ env: { XWORKMATE_MAX_ACTIVE_RUNS: "8" } });
	await runProgram(bridge.client(), "return 'the type checker is warm'");
	const bombs = Promise.all(
		Array.from({ length: 6 }, async (_, index) => {
			const bomb = typeBombs[index % typeBombs.length];
			if (bomb === undefined) throw new RangeError("there is no type bomb");
			return endProblem(bomb, await runProgram(bridge.client(), bomb.prompt, { boundMs: BOUND_MS }));
		}),
	);
	const honest = await runProgram(bridge.client(), "return 'through'", { boundMs: BOUND_MS });
	console.log(`an honest program beside six type bombs: ${Math.round(honest.ms)} ms`);
	expect((await bombs).filter((problem) => problem !== undefined)).toEqual([]);
	expect(honest).toMatchObject({ snapshot: { status: "completed" } });
	expect(honest.ms).toBeLessThanOrEqual(HONEST_RUN_MS);
});
