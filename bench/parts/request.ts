import { startBenchBridge } from "../bench-bridge.ts";
import type { BenchOptions } from "../options.ts";
import { rawRequestCpu, requestCpu, startRawServer } from "../raw-request.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";

/** CPU time of one `acp.capabilities` compared with a minimal node:http server for the same bytes. */
export async function benchRequest(options: BenchOptions): Promise<readonly Result[]> {
	const { quick } = options;
	const count = quick ? 5_000 : 20_000;
	await using started = await startBenchBridge(options);
	const { bridge } = started;
	await using raw = await startRawServer(bridge);
	const measures = {
		raw: () => rawRequestCpu(raw, bridge.token, count),
		bridge: () => requestCpu(bridge.pid, bridge.port, bridge.token, count),
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 7, measures);
	return [
		compare(samples, {
			name: "acp.capabilities request",
			unit: "CPU us",
			against: "raw node:http request",
			baseline: "raw",
			measured: "bridge",
			aim: { atMost: 1.3 },
		}),
	];
}
