import { setTimeout as delay } from "node:timers/promises";
import { expectAgreement } from "../app/app-kill-rounds.ts";
import { startCommand } from "../app/command.ts";
import { quietThreads, startApp } from "../app/started-app.ts";
import type { BridgeProcess } from "../bridge/bridge-process.ts";
import { type FollowedRun, settle, settleAgain, timeless } from "../bridge/settle.ts";
import { endByPid } from "../machine/live-processes.ts";
import { seededRandom } from "../machine/seeded-random.ts";
import { temporaryHome } from "../machine/temporary-home.ts";
import { within } from "../machine/wait-until.ts";
import type { BareClient } from "../wire/bare-client.ts";
import { sha256Of } from "../wire/served-artifacts.ts";
import type { TurnParams } from "../wire/turn.ts";
import type { OpenClawGateway } from "./openclaw-gateway.ts";
import { gatewaySettings, gatewayTurn, modelRequests, TURN_BOUND_MS } from "./openclaw-suite.ts";

/** A run of the first turn of a thread takes about this long; kills are spread over it. */
const SPREAD_MS = 4_000;
/** A command that had not reached the app carries its run out alone; a busy gateway takes its time. */
const RUN_BOUND_MS = 2 * TURN_BOUND_MS;
const scope = "$XWORKMATE_ARTIFACT_DIRECTORY";

/** A turn of a round: what it may say and deliver is its own mark, and nothing else. */
interface MarkedTurn {
	readonly mark: string;
	readonly params: TurnParams;
}

function promptOf(mark: string): string {
	return `FAKE:WRITE ${scope}/a.txt ${mark} ;; RUN sleep 0.6; printf ${mark} > ${scope}/b.txt ;; RUN sleep 0.3 ;; SAY ${mark} is written`;
}

function markedTurn(mark: string, threadId?: string): MarkedTurn {
	return { mark, params: gatewayTurn(promptOf(mark), { required: ["a.txt", "b.txt"], ...(threadId === undefined ? {} : { threadId }) }) };
}

/** Two threads at once, and a second turn of the first thread that waits for the first one. */
function roundOf(name: string): readonly MarkedTurn[] {
	const first = markedTurn(`${name}-one`);
	return [first, markedTurn(`${name}-two`), markedTurn(`${name}-three`, first.params.threadId)];
}

export interface KillOutcome {
	/** `<status> <code>`, one for each run. */
	readonly ends: readonly string[];
	/** How long after the submission each kill came, in ms. */
	readonly kills: readonly number[];
}

/** Whole and its own, or ended by name: never another run's words or files. @throws with what is wrong */
function expectOwn({ mark }: MarkedTurn, marks: readonly string[], { snapshot, updates }: FollowedRun): string {
	const told = JSON.stringify([snapshot, updates]);
	const strange = marks.filter((other) => other !== mark && told.includes(other));
	if (strange.length > 0) throw new Error(`run ${mark} tells of ${strange.join(", ")}: ${told}`);
	const { status, code, output, artifacts } = snapshot;
	if (status === "completed") {
		const hashes = artifacts.items.map(({ relativePath, sha256 }) => `${relativePath} ${sha256}`);
		const right = ["a.txt", "b.txt"].map((path) => `${path} ${sha256Of(mark)}`);
		if (output?.text !== `${mark} is written` || JSON.stringify(hashes) !== JSON.stringify(right))
			throw new Error(`run ${mark} is completed with ${JSON.stringify([output, hashes])}`);
	} else if (status !== "interrupted" || code === undefined) {
		throw new Error(`run ${mark} is ${status} ${code}: ${snapshot.message}`);
	}
	return code === undefined ? status : `${status} ${code}`;
}

/** Submits a round's turns, in order; a stream may end with the bridge it came from. */
async function submit(client: BareClient, turns: readonly MarkedTurn[]): Promise<void> {
	for (const { params } of turns) {
		const stream = await client.stream("session.start", params);
		await stream.until("its first update", () => true);
		stream.close();
	}
}

/** Kills the bridge at seeded moments; every run continues at the gateway, so `ends` should say `completed` of all. */
export async function bridgeKillRounds(bridge: BridgeProcess, seed: number, rounds: number): Promise<KillOutcome> {
	return killRounds(
		seed,
		rounds,
		() => bridge.client(),
		`b${seed}`,
		async () => {
			await bridge.kill("SIGKILL");
			await bridge.start();
		},
	);
}

/** Kills the gateway at seeded moments, and starts it again. */
export async function gatewayKillRounds(
	bridge: BridgeProcess,
	gateway: OpenClawGateway,
	seed: number,
	rounds: number,
): Promise<KillOutcome> {
	return killRounds(
		seed,
		rounds,
		() => bridge.client(),
		`g${seed}`,
		() => gateway.restart(),
	);
}

async function killRounds(
	seed: number,
	rounds: number,
	client: () => BareClient,
	name: string,
	kill: () => Promise<void>,
): Promise<KillOutcome> {
	const random = seededRandom(seed);
	const ends: string[] = [];
	const kills: number[] = [];
	const seen = new Map<string, string>();
	for (let round = 0; round < rounds; round++) {
		const turns = roundOf(`${name}-${round}`);
		const marks = turns.map(({ mark }) => mark);
		const moment = Math.round(random() * SPREAD_MS);
		kills.push(moment);
		try {
			await submit(client(), turns);
			await delay(moment);
			await kill();
			for (const turn of turns) {
				// Submitting a turn again finds its run, wherever it is by now.
				const { snapshot } = await settle(client(), turn.params);
				const run = await settleAgain(client(), snapshot.runId);
				ends.push(expectOwn(turn, marks, run));
				seen.set(snapshot.runId, timeless(run.snapshot));
			}
			await expectNothingResumed(turns);
		} catch (cause) {
			throw new Error(`seed ${seed}, round ${round}, ${moment} ms: ${cause instanceof Error ? cause.message : cause}`, { cause });
		}
	}
	for (const [runId, before] of seen) {
		const now = timeless(await client().snapshot({ runId }));
		if (now !== before) throw new Error(`run ${runId} changed after its end: ${before} became ${now}`);
	}
	return { ends, kills };
}

/** Another model request for a run that has ended would mean that the gateway resumed it. */
async function expectNothingResumed(turns: readonly MarkedTurn[]): Promise<void> {
	const count = async () => {
		const requests = await modelRequests();
		return turns.map(({ mark }) => requests.filter(({ directive }) => String(directive).includes(mark)).length);
	};
	const before = await count();
	await delay(300);
	const after = await count();
	if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error(`the model is asked after the end: ${before} became ${after}`);
}

/** Kills the app at seeded moments of a run, starts it again, and compares every thread with its bridge. */
export async function appKillRoundsAtGateway(gateway: OpenClawGateway, seed: number, rounds: number): Promise<readonly number[]> {
	const random = seededRandom(seed);
	const env = gatewaySettings(gateway);
	const kills: number[] = [];
	await using home = await temporaryHome();
	for (let round = 0; round < rounds; round++) {
		const moment = Math.round(random() * SPREAD_MS);
		kills.push(moment);
		const app = await startApp(home, env);
		const run = startCommand(home, ["run", "--target", "gateway", "--provider", "openclaw", promptOf(`app-${seed}-${round}`)], { env });
		await delay(moment);
		endByPid(app.command.pid);
		await within("the end of the app", 5_000, app.command.ended);
		await within("the end of the app's client", RUN_BOUND_MS, run.ended);
		await using _again = await startApp(home, env);
		const threads = await quietThreads(home, RUN_BOUND_MS);
		// A command that had not reached the app yet has left no thread.
		if (threads.length > round + 1) throw new Error(`seed ${seed}, round ${round}, ${moment} ms: ${threads.length} threads`);
		for (const thread of threads) await expectAgreement(home, thread);
	}
	return kills;
}
