import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../bridge/bridge-process.ts";
import { BridgeWatch, type Watched } from "../bridge/bridge-watch.ts";
import { Bystander } from "../bridge/bystander.ts";
import { runProgram } from "../wire/run-program.ts";
import { endProblem, type HostileInput } from "./hostile-input.ts";

/** How long hostile inputs may block the bridge's event loop on a quiet machine. */
const LAG_MS = 250;
/** How much resident memory the bridge's process may gain meanwhile. */
const RSS_BYTES = 256 * 2 ** 20;

/** Sends the inputs to a real bridge one after another, while a bystander's runs stream all along. */
export function describeHostile(title: string, inputs: readonly HostileInput[], boundMs: number): void {
	describe(title, () => {
		let bridge: BridgeProcess;
		let watch: BridgeWatch;
		let bystander: Bystander;
		let isTrusted = true;
		const harmed: string[] = [];

		beforeAll(async () => {
			bridge = await startBridge({ env: { XWORKMATE_MAX_ACTIVE_RUNS: "8" } });
			watch = new BridgeWatch(bridge);
			bystander = new Bystander(bridge.client());
		});
		afterAll(async () => {
			await watch[Symbol.asyncDispose]();
			await bridge[Symbol.asyncDispose]();
		});
		// An input that harms the bridge fails its own test, and not the tests of the next ones.
		beforeEach(async () => {
			if (isTrusted) return;
			await bridge.restart("SIGKILL");
			await bystander.end().then(undefined, (error: unknown) => harmed.push(String(error)));
			bystander = new Bystander(bridge.client());
			isTrusted = true;
		});

		it.for(inputs.map((input) => [input.name, input] as const))(
			"ends %s as it has to, without harm to the bridge",
			{ timeout: boundMs + 20_000 },
			async ([, input]) => {
				isTrusted = false;
				const watched = await watch.during(() => runProgram(bridge.client(), input.prompt, { boundMs }));
				await bridge.client().rpc("acp.capabilities");
				isTrusted = true;
				expect([endProblem(input, watched.result), ...harm(watched)].filter((problem) => problem !== undefined)).toEqual([]);
			},
		);

		it("has let every run of the bystander complete, with all that it said", { timeout: boundMs }, async () => {
			expect(await bystander.end()).toBeGreaterThan(0);
			expect(harmed).toEqual([]);
		});
	});
}

/** What was done to the bridge that hostile inputs may not do: holding its event loop, growing its process. */
export function harm({ lagMs, slowness, rssBefore, rssPeak }: Watched<unknown>): readonly string[] {
	const harms: string[] = [];
	if (lagMs > LAG_MS * slowness.greatest) {
		harms.push(
			`the event loop was held for ${Math.round(lagMs)} ms (the machine let work take ${slowness.greatest.toFixed(1)} times as long)`,
		);
	}
	if (rssPeak - rssBefore > RSS_BYTES) harms.push(`the bridge grew by ${Math.round((rssPeak - rssBefore) / 2 ** 20)} MiB`);
	return harms;
}
