import { setInterval as everyInterval } from "node:timers/promises";
import type { BareClient } from "./bare-client.ts";

const PACE_MS = 20;

/** How long `acp.capabilities` took, asked again and again until the work has ended; milliseconds. One that is not answered rejects. */
export async function answerTimesDuring(client: BareClient, work: Promise<unknown>): Promise<readonly number[]> {
	const times: number[] = [];
	let isOver = false;
	const over = () => {
		isOver = true;
	};
	void work.then(over, over);
	for await (const _ of everyInterval(PACE_MS)) {
		const start = performance.now();
		await client.rpc("acp.capabilities");
		times.push(performance.now() - start);
		if (isOver) return times;
	}
	return times;
}

/** The value that 95 of 100 do not exceed. @throws RangeError for no values */
export function p95(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const value = sorted[Math.ceil(sorted.length * 0.95) - 1];
	if (value === undefined) throw new RangeError("there is no p95 of nothing");
	return value;
}
