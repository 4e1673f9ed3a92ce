import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { Inspector, inspectable } from "../profile/inspector.ts";
import { requestCpu } from "../raw-request.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { type ReadyBridge, untilReady } from "../until-ready.ts";
import { type GrownRuns, growRuns } from "./grow-runs.ts";
import { lagDuring, lagResult } from "./loop-lag.ts";
import { benchRetention } from "./retention.ts";

const FEW = 1_000;

/** Start, `tasks.get`, `tasks.list` and retention in homes with many finished runs. */
export async function benchManyRuns(quick: boolean): Promise<readonly Result[]> {
	await using empty = await temporaryHome();
	await using few = await temporaryHome();
	await using more = await temporaryHome();
	await using most = await temporaryHome();
	const [moreCount, mostCount] = quick ? [2_000, 20_000] : [100_000, 1_000_000];
	const small = await growRuns(few, FEW);
	await growRuns(more, moreCount);
	const large = await growRuns(most, mostCount);
	return [
		...(await starts(empty, { home: more, count: moreCount, aim: 200 }, { home: most, count: mostCount, aim: 500 }, quick)),
		...(await lookUps({ home: few, count: FEW, ids: small }, { home: most, count: mostCount, ids: large }, quick)),
		await benchRetention({ home: more, count: moreCount }),
	];
}

interface Home {
	readonly home: TemporaryHome;
	readonly count: number;
}

/** What the runs add to the start of a bridge in an empty home. */
async function starts(empty: TemporaryHome, more: Home & { aim: number }, most: Home & { aim: number }, quick: boolean) {
	const memory: Record<string, number[]> = {};
	const took = async (name: string, start: Promise<ReadyBridge>) => {
		const { milliseconds, residentMiB } = await start;
		memory[name] = [...(memory[name] ?? []), residentMiB];
		return milliseconds;
	};
	const measures = {
		empty: () => took("empty", untilReady(empty)),
		more: () => took("more", untilReady(more.home)),
		most: () => took("most", untilReady(most.home)),
	};
	await interleave(1, measures);
	for (const name of Object.keys(memory)) memory[name] = [];
	const samples = await interleave(quick ? 2 : 5, measures);
	const sizes = samples.map((_, round) => ({
		empty: memory.empty?.[round] ?? 0,
		most: memory.most?.[round] ?? 0,
	}));
	const time = { unit: "ms", against: "start in an empty home", baseline: "empty" } as const;
	return [more, most]
		.map(({ count, aim }, index) =>
			compare(samples, {
				...time,
				name: `start with ${count} runs, until it lists them`,
				measured: index === 0 ? "more" : "most",
				aim: { atMostMore: aim },
			}),
		)
		.concat(
			compare(sizes, {
				unit: "MiB",
				name: `memory after a start with ${most.count} runs`,
				measured: "most",
				against: "in an empty home",
				baseline: "empty",
				aim: { atMostMore: 20 },
			}),
		);
}

async function lookUps(few: Home & { ids: GrownRuns }, most: Home & { ids: GrownRuns }, quick: boolean): Promise<readonly Result[]> {
	const env = { XWORKMATE_LOG_LEVEL: "warn" };
	await using small = await startBridge({ home: few.home, env });
	await using large = await startBridge({ home: most.home, env: { ...env, ...inspectable } });
	for (const { pid } of [small, large]) endWithBench(pid);
	using inspector = await Inspector.attach(large);
	const calls = quick ? 2_000 : 10_000;
	// A different run each time: one and the same would always be in the page cache of the database.
	const gets = ({ count, ids }: Home & { ids: GrownRuns }) =>
		Array.from({ length: Math.min(count, 500) }, (_, index) => {
			const { runId } = ids.idsOf(1 + (Math.floor((index * count) / 500) % count));
			return { jsonrpc: "2.0", id: 1, method: "xworkmate.tasks.get", params: { runId } };
		});
	const list = [{ jsonrpc: "2.0", id: 1, method: "xworkmate.tasks.list", params: {} }];
	const measures = {
		getFew: () => requestCpu(small.pid, small.port, small.token, calls, gets(few)),
		getMost: () => requestCpu(large.pid, large.port, large.token, calls, gets(most)),
		listFew: () => requestCpu(small.pid, small.port, small.token, calls / 10, list),
		listMost: () => requestCpu(large.pid, large.port, large.token, calls / 10, list),
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 5, measures);
	const lag = await lagDuring(inspector, async () => void (await interleave(1, measures)));
	for (const { pid } of [small, large]) hasEnded(pid);
	const among = { unit: "CPU us", against: `among ${few.count}` } as const;
	return [
		compare(samples, {
			...among,
			name: `tasks.get among ${most.count} runs`,
			measured: "getMost",
			baseline: "getFew",
			aim: { atMost: 1.2 },
		}),
		compare(samples, {
			...among,
			name: `tasks.list among ${most.count} runs`,
			measured: "listMost",
			baseline: "listFew",
			aim: { atMost: 1.3 },
		}),
		lagResult("event loop meanwhile", lag),
	];
}
