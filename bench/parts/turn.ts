import { startBenchBridge } from "../bench-bridge.ts";
import { cpuDuring } from "../cpu-time.ts";
import type { BenchOptions } from "../options.ts";
import { rawRequestCpu, startRawServer } from "../raw-request.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { TurnClient, type TurnLoad } from "../turn-load.ts";

const UPDATES = 50;
/**
 * As fast as an agent can send. Thoughts and messages alternate, because pieces of one message that wait for the same commit become one
 * update: this way the log and the stream always have fifty.
 */
const streamed: TurnLoad = {
	script: Array(UPDATES / 2)
		.fill("THINK a thought of some forty characters, as here ;; SAY a sentence of some forty characters, as here")
		.join(" ;; "),
	updates: UPDATES,
};
/** Pieces of one message with a pause after each, as models stream: most are read, committed and sent individually. */
const paced: TurnLoad = { script: `SLOW ${UPDATES} 5` };
const THREADS = 4;

/** CPU time of the bridge for one durable turn: agent over stdio, log committed to disk, event stream, collected, sealed. */
export async function benchTurn(options: BenchOptions): Promise<readonly Result[]> {
	const { quick } = options;
	await using started = await startBenchBridge(options);
	const { bridge } = started;
	await using raw = await startRawServer(bridge);
	using one = new TurnClient(bridge, 1);
	using many = new TurnClient(bridge, THREADS);
	await one.open();
	await many.open();
	const perTurn = async (client: TurnClient, threads: number, turns: number, load: TurnLoad) =>
		(await cpuDuring(bridge.pid, () => client.run(turns, load))) / (turns * threads);
	const size = quick ? 1 : 3;
	const measures = {
		raw: () => rawRequestCpu(raw, bridge.token, quick ? 5_000 : 10_000),
		one: () => perTurn(one, 1, 40 * size, streamed),
		many: () => perTurn(many, THREADS, 10 * size, streamed),
		paced: () => perTurn(many, THREADS, 2 * size, paced),
		empty: () => perTurn(one, 1, 40 * size, { script: "SAY hello" }),
	};
	// A turn runs far more code than a request, so it needs this many turns to warm up.
	await many.run(30 * size, streamed);
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 5, measures);
	const against = { unit: "CPU us", against: "raw node:http request", baseline: "raw" } as const;
	return [
		compare(samples, { ...against, name: `durable turn of ${UPDATES} updates`, measured: "one", aim: { atMost: 50 } }),
		compare(samples, { ...against, name: "one update of it", measured: "one", scale: 1 / UPDATES }),
		compare(samples, { ...against, name: `durable turn of ${UPDATES} updates, ${THREADS} threads at once`, measured: "many" }),
		compare(samples, { ...against, name: `durable turn of ${UPDATES} pieces, 5 ms apart, ${THREADS} threads at once`, measured: "paced" }),
		compare(samples, { ...against, name: "durable turn of one update", measured: "empty", aim: { atMost: 25 } }),
	];
}
