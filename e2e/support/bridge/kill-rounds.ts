import { setTimeout as delay } from "node:timers/promises";
import { allowingAll } from "../app/approvals.ts";
import { processesNaming } from "../machine/live-processes.ts";
import { seededRandom } from "../machine/seeded-random.ts";
import { waitUntil } from "../machine/wait-until.ts";
import type { BareClient } from "../wire/bare-client.ts";
import type { EventStream } from "../wire/event-stream.ts";
import type { TurnParams } from "../wire/turn.ts";
import type { RunUpdate, TaskSnapshot } from "../wire/wire.ts";
import type { BridgeProcess } from "./bridge-process.ts";
import { settle, settleAgain, timeless } from "./settle.ts";

export interface KillPlan {
	readonly seed: number;
	readonly rounds: number;
	/** Turns submitted in each round, in this order. The first one is watched for its stages. */
	readonly turns: () => readonly TurnParams[];
	/** Longest wait before a kill that is not aimed at a stage, in ms. */
	readonly spreadMs: number;
}

export interface KillReport {
	/** How many runs ended so: `<status> <code>`. */
	readonly statuses: ReadonlyMap<string, number>;
	readonly runs: number;
	/** What each round's kill was aimed at, and what was seen of it. */
	readonly kills: readonly string[];
}

interface Watched {
	readonly params: TurnParams;
	readonly stream: EventStream;
}

/** Terminal snapshots by runId, as they were first seen. */
type Ended = Map<string, string>;

const AIMS = ["moment", "collecting", "moment", "sealing"] as const;
/** Rounds whose ends are looked at again after each kill; all of them are at the very end. */
const RECENT_ROUNDS = 3;

/**
 * Kills the bridge with SIGKILL again and again while runs continue, and checks after each restart what
 * docs/protocol.md#restart-and-shutdown promises of that round's runs, and that the ends of the three rounds before it are unchanged. At
 * the end, it checks that the ends of all rounds are.
 */
export async function killRounds(bridge: BridgeProcess, plan: KillPlan): Promise<KillReport> {
	const random = seededRandom(plan.seed);
	const rounds: Ended[] = [];
	const statuses = new Map<string, number>();
	const kills: string[] = [];
	for (let round = 0; round < plan.rounds; round++) {
		const aim = AIMS[round % AIMS.length] ?? "moment";
		try {
			const watched = await submitAll(bridge.client(), plan.turns());
			kills.push(`${aim}: ${await reach(aim, watched[0]?.stream, random() * plan.spreadMs)}`);
			rounds.push(await killAndRecover(bridge, watched, rounds.slice(-RECENT_ROUNDS), statuses));
		} catch (cause) {
			const why = cause instanceof Error ? cause.message : String(cause);
			throw new Error(`seed ${plan.seed}, round ${round}, ${aim}: ${why}`, { cause });
		}
	}
	for (const ended of rounds) await expectUnchanged(bridge.client(), ended);
	return { statuses, runs: rounds.reduce((sum, ended) => sum + ended.size, 0), kills };
}

async function killAndRecover(
	bridge: BridgeProcess,
	watched: readonly Watched[],
	recent: readonly Ended[],
	statuses: Map<string, number>,
): Promise<Ended> {
	const agents = await agentPids(bridge);
	await bridge.kill("SIGKILL");
	const ends = await Promise.all(watched.map(({ stream }) => stream.ended));
	const ended: Ended = new Map(ends.flatMap((end) => (end.kind === "response" ? [[end.snapshot.runId, timeless(end.snapshot)]] : [])));
	await bridge.start();
	const client = bridge.client();
	for (const earlier of [...recent, ended]) await expectUnchanged(client, earlier);
	// A turn that no runtime had yet is started again, and may ask only now.
	await using _answers = allowingAll(client);
	for (const { params, stream } of watched) {
		const snapshot = await expectRecovered(client, params, stream.updates);
		const words = `${snapshot.status} ${snapshot.code ?? ""}`.trim();
		statuses.set(words, (statuses.get(words) ?? 0) + 1);
		ended.set(snapshot.runId, timeless(snapshot));
	}
	await waitUntil("the end of the agents of the killed bridge", 8_000, async () => {
		const left = await agentPids(bridge);
		return left.some((pid) => agents.includes(pid)) ? undefined : true;
	});
	return ended;
}

/** One after the other, so that a later turn of the same thread is the one that waits. */
async function submitAll(client: BareClient, turns: readonly TurnParams[]): Promise<readonly Watched[]> {
	const watched: Watched[] = [];
	for (const params of turns) watched.push({ params, stream: await client.stream("session.start", params) });
	return watched;
}

/** Waits for the moment to kill in. A stage that the run never shows is not a failure here: the run ended first. */
async function reach(aim: string, stream: EventStream | undefined, momentMs: number): Promise<string> {
	if (aim === "moment" || stream === undefined) {
		await delay(momentMs);
		return `${Math.round(momentMs)} ms`;
	}
	try {
		await stream.untilStage(aim);
		return "reached";
	} catch {
		return "over before";
	}
}

async function agentPids(bridge: BridgeProcess): Promise<readonly number[]> {
	return (await processesNaming(bridge.home.path)).map(({ pid }) => pid).filter((pid) => pid !== bridge.pid);
}

/** A terminal snapshot never changes: byte for byte the same, except for the time of the request. */
async function expectUnchanged(client: BareClient, ended: Ended): Promise<void> {
	for (const [runId, before] of ended) {
		const now = timeless(await client.snapshot({ runId }));
		if (now !== before) throw new Error(`run ${runId} changed after its end: ${before} became ${now}`);
	}
}

/** The run is the one that was submitted, its log begins with what was shown, it ends with a named reason. */
async function expectRecovered(client: BareClient, params: TurnParams, shown: readonly RunUpdate[]): Promise<TaskSnapshot> {
	const runId = shown[0]?.runId;
	// A submit whose answer was lost is repeated, as a client would.
	const run = runId === undefined ? await settle(client, params) : await settleAgain(client, runId);
	for (const [index, update] of shown.entries()) {
		if (JSON.stringify(update) !== JSON.stringify(run.updates[index])) {
			throw new Error(
				`what was shown at seq ${index + 1} is not in the log: ${JSON.stringify(update)}, now ${JSON.stringify(run.updates[index])}`,
			);
		}
	}
	const { status, code } = run.snapshot;
	if (status !== "completed" && status !== "cancelled" && code === undefined)
		throw new Error(`run ${run.snapshot.runId} is ${status} without a code`);
	return run.snapshot;
}
