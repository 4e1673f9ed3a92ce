import { resolve } from "node:path";
import { type BridgeProcess, startBridge } from "../e2e/support/bridge/bridge-process.ts";
import { unrulyAgent } from "../e2e/support/bridge/providers.ts";
import type { BenchOptions } from "./options.ts";
import { endWithBench, hasEnded } from "./scratch.ts";

/** Id of the agent that the bench uses: a separate process, so that its CPU time is not counted as the bridge's. */
export const agentId = "unruly";

export interface BenchBridge extends AsyncDisposable {
	readonly bridge: BridgeProcess;
}

/** A real bridge in its own home, with one ACP agent. */
export async function startBenchBridge({ profile }: BenchOptions): Promise<BenchBridge> {
	const profiling = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir="${resolve(profile)}"` };
	const bridge = await startBridge({ providers: [unrulyAgent(agentId)], env: { XWORKMATE_LOG_LEVEL: "warn", ...profiling } });
	endWithBench(bridge.pid);
	return {
		bridge,
		async [Symbol.asyncDispose]() {
			await bridge[Symbol.asyncDispose]();
			hasEnded(bridge.pid);
		},
	};
}
