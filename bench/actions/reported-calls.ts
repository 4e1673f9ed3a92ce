import { startBenchBridge } from "../bench-bridge.ts";
import { cpuDuring } from "../cpu-time.ts";
import type { BenchOptions } from "../options.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { TurnClient, type TurnLoad } from "../turn-load.ts";

const CALLS = 10;
const steps = (step: (index: number) => string, count = CALLS): TurnLoad => ({
	// A turn without an answer has failed.
	script: [...Array.from({ length: count }, (_, index) => step(index)), "SAY hello"].join(" ;; "),
});
/** Each is told in three updates: pending, running, completed. */
const calls = steps((index) => `TOOL call ${index}`);
const said = (index: number) => `${index % 2 === 0 ? "THINK" : "SAY"} a sentence of some forty characters, as here`;
const messages = steps(said);
const asManyUpdates = steps(said, 3 * CALLS);

/** CPU time of the bridge for a turn whose agent reports tool calls, which leave receipts. */
export async function benchReportedCalls(options: BenchOptions): Promise<readonly Result[]> {
	await using started = await startBenchBridge(options);
	const { bridge } = started;
	using client = new TurnClient(bridge, 4);
	await client.open();
	const turns = options.quick ? 15 : 100;
	const perTurn = async (load: TurnLoad) => (await cpuDuring(bridge.pid, () => client.run(turns, load))) / (4 * turns);
	const measures = { messages: () => perTurn(messages), updates: () => perTurn(asManyUpdates), calls: () => perTurn(calls) };
	await interleave(1, measures);
	const samples = await interleave(options.quick ? 3 : 5, measures);
	const row = { unit: "CPU us", name: `a turn of an agent with ${CALLS} tool calls`, measured: "calls" } as const;
	return [
		compare(samples, { ...row, against: `${CALLS} messages instead`, baseline: "messages", aim: { atMost: 1.3 } }),
		compare(samples, { ...row, against: `as many updates, ${3 * CALLS}, of messages`, baseline: "updates" }),
	];
}
