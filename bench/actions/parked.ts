import { readdirSync, readFileSync } from "node:fs";
import { type BridgeProcess, startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { waitUntil } from "../../e2e/support/machine/wait-until.ts";
import { turn } from "../../e2e/support/wire/turn.ts";
import { compare, type Result } from "../result.ts";
import { interleave, type Sample } from "../rounds.ts";
import { hasEnded } from "../scratch.ts";
import { residentMiB, untilReady } from "../until-ready.ts";
import { startWithTools, untilListed, writeTools } from "./tool-home.ts";

const PARK_BOUND_MS = 600_000;
const INTEGRATIONS = 20;
const SUBMITTERS = 8;
const program = "await tools.bench.change({ at: 1 }); return 'done'";

/** What runs that wait for the user cost a bridge, and what they and integrations add to its start. */
export async function benchParked(quick: boolean): Promise<readonly Result[]> {
	const count = quick ? 100 : 1_000;
	await using idle = await temporaryHome();
	await using parked = await temporaryHome();
	await using many = await temporaryHome();
	await using empty = await temporaryHome();
	await prepare(idle, 1);
	await prepare(many, INTEGRATIONS);
	await park(parked, count);
	const measures = {
		empty: async () => (await untilReady(empty)).milliseconds,
		integrations: async () => (await untilReady(many)).milliseconds,
		parked: async () => (await untilReady(parked)).milliseconds,
	};
	await interleave(1, measures);
	const starts = await interleave(quick ? 2 : 7, measures);
	const rests: Sample<"memory" | "threads" | "processes">[][] = [];
	for (let round = 0; round < (quick ? 1 : 3); round++) rests.push([await atRest(idle), await atRest(parked)]);
	const against = { unit: "ms", against: "start in an empty home", baseline: "empty" } as const;
	const atMostMore = (measure: "memory" | "threads" | "processes", unit: string, aim: number) =>
		compare(
			rests.map(([one, other]) => ({ idle: one?.[measure] ?? 0, parked: other?.[measure] ?? 0 })),
			{
				name: `${count} parked runs: ${measure === "memory" ? "memory" : `${measure} of the bridge`}`,
				unit,
				against: "an idle bridge",
				baseline: "idle",
				measured: "parked",
				aim: { atMostMore: aim },
			},
		);
	return [
		atMostMore("memory", "MiB", 48),
		atMostMore("threads", "threads", 0),
		atMostMore("processes", "processes", 0),
		compare(starts, { ...against, name: `start with ${count} parked runs`, measured: "parked", aim: { atMostMore: 1_000 } }),
		compare(starts, { ...against, name: `start with ${INTEGRATIONS} integrations`, measured: "integrations", aim: { atMost: 1.15 } }),
	];
}

/** A home with integrations that are accepted and known. */
async function prepare(home: TemporaryHome, integrations: number): Promise<void> {
	const names = Array.from({ length: integrations }, (_, index) => (index === 0 ? "bench" : `bench${index}`));
	await using bridge = await startWithTools(home, names);
	hasEnded(bridge.pid);
}

/** Starts programs that ask the user immediately, and waits until all of them are parked. */
async function park(home: TemporaryHome, count: number): Promise<void> {
	await writeTools(home, "bench");
	await using bridge = await startWithTools(home, ["bench"], { XWORKMATE_PARK_MS: "1", XWORKMATE_MAX_QUEUED: String(count) });
	const client = bridge.client();
	let left = count;
	const submit = async () => {
		while (left-- > 0) await client.rpc("session.start", turn({ prompt: program, providerId: "script" }));
	};
	await Promise.all(Array.from({ length: SUBMITTERS }, submit));
	await waitUntil("all runs to be parked", PARK_BOUND_MS, async () => ((await busyRuns(bridge)) === 0 ? true : undefined));
	hasEnded(bridge.pid);
}

/** How many runs are queued or have a place. */
async function busyRuns(bridge: BridgeProcess): Promise<number> {
	const metrics = await (await fetch(`${bridge.url}/metrics`, { headers: { authorization: `Bearer ${bridge.token}` } })).text();
	return [...metrics.matchAll(/^xworkmate_runs\{status="(?:queued|running)"\} (\d+)$/gm)].reduce((sum, [, runs]) => sum + Number(runs), 0);
}

/** A bridge that was started again and has loaded its one integration. */
async function atRest(home: TemporaryHome): Promise<Sample<"memory" | "threads" | "processes">> {
	await using bridge = await startBridge({ home });
	await untilListed(bridge, 1);
	const { pid } = bridge;
	const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).length;
	return { memory: residentMiB(pid), threads: readdirSync(`/proc/${pid}/task`).length, processes: 1 + children };
}
