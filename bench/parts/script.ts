import { bareSandbox } from "../bare-sandbox.ts";
import { startBenchBridge } from "../bench-bridge.ts";
import type { BenchOptions } from "../options.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave, median } from "../rounds.ts";
import { scriptRunMs } from "../script-load.ts";

const trivial = "return 'done'";

/** A call that the bridge refuses at once: the round trip with its two log entries, without any work. */
const refusedCall = "await tools.time.wait({ ms: -1 })";
const MAX_FAILURES = 5;
const listCall = "await tools.files.list({})";
const waitCall = "await tools.time.wait({ ms: 0 })";

/** Cost of a program of the `script` provider: the first one of a bridge, later ones, and each call of a tool. */
export async function benchScript(options: BenchOptions): Promise<readonly Result[]> {
	return [...(await benchCold(options)), ...(await benchWarm(options))];
}

/** The first program of a new bridge, which starts its compiler and its sandbox. */
async function benchCold(options: BenchOptions): Promise<readonly Result[]> {
	const samples = await interleave(options.quick ? 2 : 7, {
		child: childMs,
		cold: async () => {
			await using started = await startBenchBridge(options);
			return await scriptRunMs(started.bridge, trivial); // Awaited here, because otherwise the bridge would be ended in the meantime.
		},
	});
	return [compare(samples, { ...againstChild, name: "first program of a bridge", measured: "cold" })];
}

async function benchWarm(options: BenchOptions): Promise<readonly Result[]> {
	const { quick } = options;
	const calls = quick ? 500 : 5_000;
	await using started = await startBenchBridge(options);
	await using echo = await Program.start("./echo.ts");
	const warm = async () => {
		const runs: number[] = [];
		for (let run = 0; run < 15; run++) runs.push(await scriptRunMs(started.bridge, trivial));
		return median(runs);
	};
	await using bare = bareSandbox();
	/** Microseconds of one call of a tool that does nothing, without a run: nothing is logged or shown. */
	const noop = async () => {
		const none = await bare.runMs("return 1");
		const all = await bare.runMs(`for (let call = 0; call < ${calls}; call++) await tools.bench.nothing({}); return 1`);
		return ((all - none) * 1_000) / calls;
	};
	/** Microseconds of one call: a run with all calls, minus a run with none. */
	const perCall = async (call: string) => {
		const none = await scriptRunMs(started.bridge, trivial);
		const all = await repeated(() => scriptRunMs(started.bridge, `for (let call = 0; call < ${calls}; call++) ${call}; return 'done'`));
		return ((all - none) * 1_000) / calls;
	};
	const measures = {
		child: childMs,
		warm,
		message: async () => (await messagesMs(echo, calls)) * (1_000 / calls),
		noop,
		refused: () => perCall(refusedCall),
		list: () => perCall(listCall),
		wait: () => perCall(waitCall),
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 2 : 5, measures);
	const against = { unit: "us", against: "message to a child process and back", baseline: "message" } as const;
	return [
		compare(samples, { ...againstChild, name: "later programs, one by one", measured: "warm" }),
		compare(samples, { ...against, name: "call of a tool that does nothing, sandbox alone", measured: "noop", aim: { atMost: 2 } }),
		compare(samples, { ...against, name: "tool call of a run that does nothing (refused)", measured: "refused" }),
		compare(samples, { ...against, name: "files.list of an empty folder", measured: "list" }),
		compare(samples, { ...against, name: "time.wait of 0 ms", measured: "wait" }),
	];
}

/** The sandbox up to 0446953 occasionally failed over thousands of calls, so such a run is reported and repeated. */
async function repeated(run: () => Promise<number>): Promise<number> {
	for (let failures = 0; ; failures++) {
		try {
			return await run();
		} catch (error) {
			if (failures === MAX_FAILURES) throw error;
			console.log(`run again: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
}

const againstChild = { unit: "ms", against: "start of a child process until its first word", baseline: "child" } as const;

async function childMs(): Promise<number> {
	const start = performance.now();
	await using _child = await Program.start("./echo.ts");
	return performance.now() - start;
}

async function messagesMs(echo: Program, count: number): Promise<number> {
	const start = performance.now();
	for (let message = 0; message < count; message++) await echo.ask({ message });
	return performance.now() - start;
}
