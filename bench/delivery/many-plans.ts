import { setTimeout as delay } from "node:timers/promises";
import { PlanLog } from "../../bridge/src/plans/plan-log.ts";
import { Scheduler } from "../../bridge/src/plans/scheduler.ts";
import { type Clock, systemClock } from "../../bridge/src/ports/clock.ts";
import { openSqliteStore } from "../../bridge/src/store/sqlite/index.ts";
import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { threadNanoseconds } from "../cpu-time.ts";
import { requestCpu } from "../raw-request.ts";
import { compare, type Result } from "../result.ts";
import { interleave, type Sample } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { untilReady } from "../until-ready.ts";
import { growPlans } from "./grow-plans.ts";

const FEW = 100;
const env = { XWORKMATE_LOG_LEVEL: "warn", XWORKMATE_MAX_PLANS: "100000" };

/**
 * Plans that wait for their time: a tick of the scheduler, `plans.list`, and a bridge that has many of them while it starts and while it is
 * idle.
 */
export async function benchManyPlans(quick: boolean): Promise<readonly Result[]> {
	await using empty = await temporaryHome();
	await using few = await temporaryHome();
	await using some = await temporaryHome();
	await using many = await temporaryHome();
	const [someCount, manyCount] = quick ? [1_000, 5_000] : [10_000, 100_000];
	await growPlans(few, FEW);
	await growPlans(some, someCount);
	await growPlans(many, manyCount);
	return [
		await benchTick(few, many, manyCount, quick),
		await benchPlansList(few, many, manyCount, quick),
		await benchStart(empty, many, manyCount, quick),
		await benchIdle(empty, some, someCount, quick),
	];
}

async function benchTick(few: TemporaryHome, many: TemporaryHome, count: number, quick: boolean): Promise<Result> {
	await using small = await openTicker(few);
	await using large = await openTicker(many);
	const looks = quick ? 200 : 2_000;
	const measures = { few: () => small.tick(looks), many: () => large.tick(looks) };
	await interleave(1, measures);
	return compare(await interleave(quick ? 3 : 7, measures), {
		name: `tick of the scheduler with ${count} plans`,
		unit: "us",
		against: `with ${FEW}`,
		baseline: "few",
		measured: "many",
		aim: { atMost: 1.3 },
	});
}

/** A scheduler over a home's own database, in this process. */
async function openTicker(home: TemporaryHome) {
	const store = openSqliteStore(`${home.xworkmate}/bridge`);
	const onError = (error: unknown) => console.error(error);
	let looked = Promise.withResolvers<void>();
	// The scheduler asks for its next wake-up at the end of each tick.
	const clock: Clock = {
		now: systemClock.now,
		at: () => {
			looked.resolve();
			return { [Symbol.dispose]: () => undefined };
		},
	};
	const log = new PlanLog({ store: store.plans, clock, epoch: 1, retryForMs: 1_000, onFatal: onError, onError });
	const scheduler = new Scheduler({ store: store.plans, log, clock, catchUpMs: 1_000, onError });
	return {
		/** Microseconds of one look. */
		async tick(looks: number): Promise<number> {
			const from = performance.now();
			for (let n = 0; n < looks; n++) {
				looked = Promise.withResolvers<void>();
				scheduler.wake();
				await looked.promise;
				// Gives the scheduler a moment to note that the tick has ended.
				await Promise.resolve();
			}
			return ((performance.now() - from) * 1_000) / looks;
		},
		async [Symbol.asyncDispose]() {
			await scheduler[Symbol.asyncDispose]();
			log[Symbol.dispose]();
			store.close();
		},
	};
}

async function benchPlansList(few: TemporaryHome, many: TemporaryHome, count: number, quick: boolean): Promise<Result> {
	await using small = await startBridge({ home: few, env });
	await using large = await startBridge({ home: many, env });
	for (const { pid } of [small, large]) endWithBench(pid);
	const list = [{ jsonrpc: "2.0", id: 1, method: "xworkmate.plans.list", params: { limit: 50 } }];
	const calls = quick ? 200 : 2_000;
	const measures = {
		few: () => requestCpu(small.pid, small.port, small.token, calls, list),
		many: () => requestCpu(large.pid, large.port, large.token, calls, list),
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 5, measures);
	for (const { pid } of [small, large]) hasEnded(pid);
	const among = { unit: "CPU us", against: `among ${FEW}`, baseline: "few", measured: "many" } as const;
	return compare(samples, { ...among, name: `plans.list among ${count} plans`, aim: { atMost: 1.3 } });
}

async function benchStart(empty: TemporaryHome, many: TemporaryHome, count: number, quick: boolean): Promise<Result> {
	const measures = {
		empty: async () => (await untilReady(empty)).milliseconds,
		many: async () => (await untilReady(many, env)).milliseconds,
	};
	await interleave(1, measures);
	return compare(await interleave(quick ? 2 : 5, measures), {
		name: `start with ${count} plans`,
		unit: "ms",
		against: "start in an empty home",
		baseline: "empty",
		measured: "many",
		aim: { atMostMore: 1_000 },
	});
}

/** Both are idle at the same time, so that other load on the machine affects both equally. */
async function benchIdle(empty: TemporaryHome, some: TemporaryHome, count: number, quick: boolean): Promise<Result> {
	await using none = await startBridge({ home: empty, env });
	await using waiting = await startBridge({ home: some, env });
	for (const { pid } of [none, waiting]) endWithBench(pid);
	const restMs = quick ? 2_000 : 65_000;
	const samples: Sample<"none" | "plans">[] = [];
	// Work that a start leaves for later is finished by then.
	await delay(quick ? 1_000 : 10_000);
	for (let round = 0; round < (quick ? 2 : 5); round++) {
		const before = { none: threadNanoseconds(none.pid), plans: threadNanoseconds(waiting.pid) };
		await delay(restMs);
		const spent = (pid: number, was: number) => (threadNanoseconds(pid) - was) / 1_000_000;
		samples.push({ none: spent(none.pid, before.none), plans: spent(waiting.pid, before.plans) });
	}
	for (const { pid } of [none, waiting]) hasEnded(pid);
	return compare(samples, {
		name: `an idle bridge with ${count} plans, ${restMs / 1_000} s`,
		unit: "CPU ms",
		against: "one with none",
		baseline: "none",
		measured: "plans",
		aim: { atMost: 1.2 },
	});
}
