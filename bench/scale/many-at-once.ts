import { fileURLToPath } from "node:url";
import { type BridgeProcess, startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import type { StreamEnd } from "../../e2e/support/wire/event-stream.ts";
import { turn } from "../../e2e/support/wire/turn.ts";
import { cpuDuring } from "../cpu-time.ts";
import { Inspector, inspectable } from "../profile/inspector.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { lagDuring, lagResult } from "./loop-lag.ts";

const smallAgent = {
	id: "small",
	name: "Small agent",
	distribution: { command: { cmd: "/usr/bin/perl", args: [fileURLToPath(new URL("../programs/small-agent.pl", import.meta.url))] } },
};
/** How many turns the client submits at the same time: submitting all of them at once would slow down the client. */
const SUBMITTED_AT_ONCE = 50;
const BOUND_MS = 300_000;

/** Many runs at once beside as many one after the other, and a long queue beside a short one. */
export async function benchManyAtOnce(quick: boolean): Promise<readonly Result[]> {
	return [...(await atOnce(quick ? 50 : 1_000)), ...(await queued(quick ? [5, 50] : [50, 500]))];
}

async function atOnce(count: number): Promise<readonly Result[]> {
	await using bridge = await start({ XWORKMATE_MAX_ACTIVE_RUNS: "1000", XWORKMATE_MAX_QUEUED: "1000" });
	using inspector = await Inspector.attach(bridge);
	const perTurn = async (act: () => Promise<void>) => (await cpuDuring(bridge.pid, act)) / count / 1000;
	const measures = {
		one: () =>
			perTurn(async () => {
				for (let index = 0; index < count; index++) await run(bridge, 1);
			}),
		all: () => perTurn(() => run(bridge, count)),
	};
	await run(bridge, 20);
	const samples = await interleave(1, measures);
	const lag = await lagDuring(inspector, () => run(bridge, count));
	hasEnded(bridge.pid);
	return [
		compare(samples, {
			unit: "CPU ms",
			name: `turn among ${count} at once, each with an agent of its own`,
			measured: "all",
			against: "one after the other",
			baseline: "one",
			aim: { atMost: 1.3 },
		}),
		lagResult(`event loop with ${count} runs at once`, lag),
	];
}

async function queued([few, many]: readonly [number, number]): Promise<readonly Result[]> {
	await using bridge = await start({ XWORKMATE_MAX_ACTIVE_RUNS: "1", XWORKMATE_MAX_QUEUED: "1000" });
	const cost = async (count: number) => (await cpuDuring(bridge.pid, () => run(bridge, count))) / count / 1000;
	await run(bridge, 20);
	const samples = await interleave(1, { few: () => cost(few), many: () => cost(many) });
	hasEnded(bridge.pid);
	return [
		compare(samples, {
			unit: "CPU ms",
			name: `turn in a queue of ${many}`,
			measured: "many",
			against: `in a queue of ${few}`,
			baseline: "few",
			aim: { atMost: 1.3 },
		}),
	];
}

async function start(env: Record<string, string>): Promise<BridgeProcess> {
	const bridge = await startBridge({ providers: [smallAgent], env: { XWORKMATE_LOG_LEVEL: "warn", ...inspectable, ...env } });
	endWithBench(bridge.pid);
	return bridge;
}

/** Submits turns in threads of their own and waits until all have completed. */
async function run(bridge: BridgeProcess, count: number): Promise<void> {
	const client = bridge.client();
	const ends: Promise<StreamEnd>[] = [];
	let left = count;
	const submit = async () => {
		while (left-- > 0) {
			const stream = await client.stream("session.start", turn({ prompt: "do it", providerId: smallAgent.id }), { answerMs: BOUND_MS });
			ends.push(stream.ended);
		}
	};
	await Promise.all(Array.from({ length: Math.min(count, SUBMITTED_AT_ONCE) }, submit));
	for (const end of await Promise.all(ends)) {
		if (end.kind !== "response" || end.snapshot.status !== "completed") throw new Error(`a run ended with ${JSON.stringify(end)}`);
	}
}
