import { z } from "zod";
import type { Inspector } from "../profile/inspector.ts";
import { compare, type Result } from "../result.ts";

/** How long a process's event loop was held up: the 99th percentile and the longest block, in milliseconds. */
export interface LoopLag {
	readonly p99: number;
	readonly longest: number;
}

const RESOLUTION_MS = 1;
const Lag = z.object({ p99: z.number(), longest: z.number() });

/** Lag of the inspected process's event loop during `act`. */
export async function lagDuring(inspector: Inspector, act: () => Promise<void>): Promise<LoopLag> {
	await inspector.evaluate(`{
		globalThis.benchLag ??= process.getBuiltinModule("node:perf_hooks").monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} });
		benchLag.reset();
		benchLag.enable();
	}`);
	await act();
	return Lag.parse(await inspector.evaluate("({ p99: benchLag.percentile(99) / 1e6, longest: benchLag.max / 1e6 })"));
}

/** The longest block of an event loop, beside its 99th percentile. @param aim milliseconds */
export function lagResult(name: string, { p99, longest }: LoopLag, aim?: number): Result {
	return compare([{ longest, p99 }], {
		unit: "ms",
		name: `${name}: longest block`,
		measured: "longest",
		against: "99th percentile",
		baseline: "p99",
		...(aim === undefined ? {} : { aim: { measuredAtMost: aim } }),
	});
}
