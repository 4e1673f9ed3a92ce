import { expect, it } from "vitest";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { BridgeWatch } from "../support/bridge/bridge-watch.ts";
import { Bystander } from "../support/bridge/bystander.ts";
import { harm } from "../support/hostile/describe-hostile.ts";
import { endProblem, type HostileInput } from "../support/hostile/hostile-input.ts";
import { languageInputs } from "../support/hostile/language-inputs.ts";
import { endlessInputs, limitInputs, timeIsOver } from "../support/hostile/limit-inputs.ts";
import { valueInputs } from "../support/hostile/value-inputs.ts";
import { answerTimesDuring, p95 } from "../support/wire/answer-times.ts";
import { runProgram } from "../support/wire/run-program.ts";

const AT_ONCE = 30;
/** On a quiet machine; on a slower one, as much more. */
const CAPABILITIES_P95_MS = 100;
const BUDGET_MS = 15_000;
const BOUND_MS = 120_000;

it(`answers others while ${AT_ONCE} hostile programs run at once`, { timeout: 300_000 }, async () => {
	await using bridge = await startBridge({
		env: { XWORKMATE_MAX_ACTIVE_RUNS: String(AT_ONCE + 2), XWORKMATE_RUN_BUDGET_MS: String(BUDGET_MS) },
	});
	await using watch = new BridgeWatch(bridge);
	await runProgram(bridge.client(), "return 'the type checker is warm'");
	const bystander = new Bystander(bridge.client(), { lines: 20, pauseMs: 20 });
	const watched = await watch.during(async () => {
		const ends = Promise.all(
			worst(AT_ONCE).map(async (input) => ({ input, end: await runProgram(bridge.client(), input.prompt, { boundMs: BOUND_MS }) })),
		);
		const times = await answerTimesDuring(bridge.client(), ends);
		return { found: await ends, p95Ms: p95(times) };
	});
	const { found, p95Ms } = watched.result;
	const { lagMs, slowness, rssBefore, rssPeak } = watched;
	console.log(
		`lag ${lagMs.toFixed(0)} ms, capabilities p95 ${p95Ms.toFixed(0)} ms, the bridge's memory +${((rssPeak - rssBefore) / 2 ** 20).toFixed(0)} MiB; the machine was ${slowness.mean.toFixed(1)} (at most ${slowness.greatest.toFixed(1)}) times slower than a quiet one`,
	);
	const problems = found.flatMap(({ input, end }) => endProblem({ ...input, ends: [...input.ends, ...timeIsOver(BUDGET_MS)] }, end) ?? []);
	expect([...problems, ...harm(watched)]).toEqual([]);
	expect(await bystander.end()).toBeGreaterThan(0);
	expect(p95Ms, "capabilities p95").toBeLessThan(CAPABILITIES_P95_MS * Math.max(1, slowness.mean));
});

/** The inputs that cost a bridge the most, as many as asked for: each kind again and again. */
function worst(count: number): readonly HostileInput[] {
	const inputs = [...endlessInputs, ...limitInputs, ...valueInputs, ...languageInputs];
	return Array.from({ length: count }, (_, index) => inputs[index % inputs.length] ?? inputs[0]).filter((input) => input !== undefined);
}
