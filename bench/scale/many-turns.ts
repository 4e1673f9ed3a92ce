import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../e2e/support/bridge/providers.ts";
import { agentId } from "../bench-bridge.ts";
import { Inspector, inspectable } from "../profile/inspector.ts";
import { compare, type Result } from "../result.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { TurnClient } from "../turn-load.ts";

const load = { script: "SAY hello" };
const THREADS = 4;

/** What turns leave in the memory of the bridge: its heap after very many, beside its heap after few. */
export async function benchManyTurns(quick: boolean): Promise<readonly Result[]> {
	const [few, many] = quick ? [200, 1_000] : [2_000, 20_000];
	await using bridge = await startBridge({
		providers: [unrulyAgent(agentId)],
		env: { XWORKMATE_LOG_LEVEL: "warn", ...inspectable },
	});
	endWithBench(bridge.pid);
	using inspector = await Inspector.attach(bridge);
	using client = new TurnClient(bridge, THREADS);
	await client.open();
	await client.run(few / THREADS, load);
	const before = await inspector.heapMiB();
	await client.run((many - few) / THREADS, load);
	const after = await inspector.heapMiB();
	hasEnded(bridge.pid);
	return [
		compare([{ before, after }], {
			unit: "MiB",
			name: `heap after ${many} turns`,
			measured: "after",
			against: `after ${few}`,
			baseline: "before",
			aim: { atMost: 1.05 },
		}),
	];
}
