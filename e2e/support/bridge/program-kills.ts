import { setTimeout as delay } from "node:timers/promises";
import { approvals, decide } from "../app/approvals.ts";
import { seededRandom } from "../machine/seeded-random.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { type Receipt, receiptsOf, verifyReceipts } from "../wire/receipts.ts";
import { turn } from "../wire/turn.ts";
import { isOver, TaskSnapshot } from "../wire/wire.ts";
import type { BridgeProcess } from "./bridge-process.ts";
import { type Effect, type WorldTool, worldEffects, worldTools, writeWorldTools } from "./world-tools.ts";

export interface ProgramKillPlan {
	readonly seed: number;
	readonly kills: number;
	/** Longest wait before a kill, in ms. */
	readonly spreadMs: number;
}

export interface ProgramKillReport {
	/** How many calls ended so: `<tool> <closing receipt>`, and "without effect" after an unknown one whose handler did not act. */
	readonly ends: ReadonlyMap<string, number>;
	readonly runs: number;
	/** Decisions that were made right after a restart, when the bridge may not have run the programs again yet. */
	readonly decidedAtStart: number;
}

/** How many programs are begun before each kill. An aimed kill has two more. */
const AT_ONCE = 4;
/** The first of so many kills is aimed: random moments alone may meet no call that acts, or none that asks. */
const AIMED_OF = 10;
const AIMED_CALLS = ["tools.world.make({ n: 1, afterMs: 60_000 })", "tools.world.destroy({ n: 1 })"];
/** How long to wait for an effect: programs may have nothing left but calls that will be denied. */
const ACT_BOUND_MS = 1_500;
const END_BOUND_MS = 180_000;
export const programKillEnv = { XWORKMATE_TOOLS_ACCEPT: "auto", XWORKMATE_PARK_MS: "50", XWORKMATE_MAX_ACTIVE_RUNS: "8" };

/**
 * Kills the bridge with SIGKILL again and again while programs act, decides what they ask before, between and after the kills, and checks
 * at the end that each effect and each receipt is what the other says. @param bridge started with `programKillEnv`
 */
export async function killPrograms(bridge: BridgeProcess, plan: ProgramKillPlan): Promise<ProgramKillReport> {
	const random = seededRandom(plan.seed);
	const runs: string[] = [];
	let live: readonly string[] = [];
	let decidedAtStart = 0;
	await writeWorldTools(bridge.home);
	await bridge.client().rpc("xworkmate.tools.reload");
	try {
		for (let kill = 0; kill < plan.kills; kill++) {
			live = await stillActive(bridge, live);
			while (live.length < AT_ONCE) {
				const runId = await submit(bridge, program(random));
				runs.push(runId);
				live = [...live, runId];
			}
			for (const runId of live) await began(bridge, runId);
			const isAimed = kill % AIMED_OF === 0;
			if (isAimed) {
				const aimed = await beginAimed(bridge);
				runs.push(...aimed);
				live = [...live, ...aimed];
				await bridge.kill("SIGKILL");
			} else {
				await killAtRandom(bridge, random, plan.spreadMs);
			}
			await bridge.start();
			if (isAimed || random() < 0.5) decidedAtStart += await decideAll(bridge, random);
		}
		await waitUntil("the end of all programs", END_BOUND_MS, async () => {
			await decideAll(bridge, random);
			live = await stillActive(bridge, live);
			return live.length === 0 ? true : undefined;
		});
		const ends = await accounts(bridge, runs);
		return { ends, runs: runs.length, decidedAtStart };
	} catch (cause) {
		throw new Error(`seed ${plan.seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
	}
}

async function killAtRandom(bridge: BridgeProcess, random: () => number, spreadMs: number): Promise<void> {
	const stop = new AbortController();
	const deciding = decideSome(bridge, random, stop.signal);
	// Most kills come while handlers are at work, the others at any moment.
	if (random() < 0.75) await acts(bridge);
	await delay(random() * spreadMs);
	stop.abort();
	await bridge.kill("SIGKILL");
	await deciding;
}

/** Two more programs: one whose write has acted and does not return, and one that asks. */
async function beginAimed(bridge: BridgeProcess): Promise<readonly string[]> {
	const aimed: string[] = [];
	for (const call of AIMED_CALLS) aimed.push(await submit(bridge, `const r = await ${call};\nreturn r.ok ? "succeeded" : r.error.code;`));
	const [acting = "", asking = ""] = aimed;
	await waitUntil("the write that does not return", END_BOUND_MS, async () =>
		(await worldEffects(bridge.home)).some(({ runId }) => runId === acting) ? true : undefined,
	);
	await waitUntil("the request of the program that asks", END_BOUND_MS, async () => {
		const pending = await approvals(bridge.client(), { runId: asking, state: "pending" });
		return pending.length > 0 ? true : undefined;
	});
	return aimed;
}

/**
 * A program that makes 8 to 11 calls, one after the other and several at once, and returns what it was told about each, in the order of the
 * calls.
 */
function program(random: () => number): string {
	const names = Object.keys(worldTools);
	let made = 0;
	const call = (): string => {
		const [beforeMs, afterMs] = [Math.floor(random() * 30), Math.floor(random() * 60)];
		return `tools.world.${names[Math.floor(random() * names.length)]}(${JSON.stringify({ n: made++, beforeMs, afterMs })})`;
	};
	const statements: string[] = [];
	while (made < 8) {
		const several = Array.from({ length: 1 + Math.floor(random() * 4) }, call);
		statements.push(`for (const r of await Promise.all([${several.join(", ")}])) said.push(r.ok ? "succeeded" : r.error.code);`);
	}
	return `const said: string[] = [];\n${statements.join("\n")}\nreturn said.join(" ");`;
}

async function submit(bridge: BridgeProcess, prompt: string): Promise<string> {
	return TaskSnapshot.parse(await bridge.client().rpc("session.start", turn({ prompt, providerId: "script" }))).runId;
}

async function stillActive(bridge: BridgeProcess, runIds: readonly string[]): Promise<readonly string[]> {
	const snapshots = await Promise.all(runIds.map((runId) => bridge.client().snapshot({ runId })));
	return snapshots.filter(({ status }) => !isOver(status)).map(({ runId }) => runId);
}

/** Resolves when something acts, or after ACT_BOUND_MS. */
async function acts({ home }: BridgeProcess): Promise<void> {
	const before = (await worldEffects(home)).length;
	const end = performance.now() + ACT_BOUND_MS;
	while (performance.now() < end && (await worldEffects(home)).length === before) await delay(5);
}

/** Waits for the first receipt or the end of a run: before that, a kill would only find the type checker at work. */
function began(bridge: BridgeProcess, runId: string): Promise<true> {
	return waitUntil(`the first call of ${runId}`, 60_000, async () => {
		const [first] = await receiptsOf(bridge.client(), runId);
		return first !== undefined || isOver((await bridge.client().snapshot({ runId })).status) ? true : undefined;
	});
}

/** Decides now and then, until the bridge is killed: the answer to one of the decisions may be lost. */
async function decideSome(bridge: BridgeProcess, random: () => number, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		try {
			await decideAll(bridge, random, 0.4);
		} catch (error) {
			if (!signal.aborted) throw error;
		}
		await delay(30);
	}
}

async function decideAll(bridge: BridgeProcess, random: () => number, share = 1): Promise<number> {
	let decided = 0;
	for (const { approvalId } of await approvals(bridge.client(), { state: "pending" })) {
		if (random() >= share) continue;
		await decide(bridge.client(), approvalId, random() < 0.75 ? "allow_once" : "deny");
		decided += 1;
	}
	return decided;
}

/** Holds every run's receipts against what its handlers did and what its program was told. @throws Error with all that does not agree */
async function accounts(bridge: BridgeProcess, runIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
	const client = bridge.client();
	const effects = Map.groupBy(await worldEffects(bridge.home), ({ runId }) => runId);
	const ends = new Map<string, number>();
	const problems: string[] = [];
	for (const runId of runIds) {
		const { status, code, output } = await client.snapshot({ runId });
		const calls = Map.groupBy(await receiptsOf(client, runId), ({ toolCallId }) => toolCallId);
		const done = Map.groupBy(effects.get(runId) ?? [], ({ call }) => call);
		const isUntouched = status === "interrupted" && calls.size === 0 && done.size === 0;
		// Two kills while it alone was being taken up: the bridge cannot know that the run is not at fault. Its calls must agree all the same.
		const isSuspected = status === "interrupted" && code === "POISONED";
		if (status !== "completed" && !isUntouched && !isSuspected) problems.push(`${runId} ended ${status} ${code}`);
		for (const call of done.keys()) if (!calls.has(call)) problems.push(`${runId} ${call} acted without a receipt`);
		const told: string[] = [];
		const asked = Map.groupBy(await approvals(client, { runId }), ({ toolCallId }) => String(toolCallId));
		for (const [call, receipts] of [...calls].sort(([one], [other]) => numberOf(one) - numberOf(other))) {
			const account = accountOf(receipts, done.get(call) ?? []);
			problems.push(...account.problems.map((problem) => `${runId} ${call}: ${problem}`));
			if ((asked.get(call)?.length ?? 0) > 1) problems.push(`${runId} ${call} was asked ${asked.get(call)?.length} times`);
			told.push(account.told);
			ends.set(account.end, (ends.get(account.end) ?? 0) + 1);
		}
		if (status === "completed" && output?.text !== told.join(" ")) {
			problems.push(`${runId} was told ${output?.text}, and its receipts say ${told.join(" ")}`);
		}
	}
	const verified = await verifyReceipts(client);
	if (!verified.ok) problems.push(`verify: ${JSON.stringify(verified.problems)}`);
	if (problems.length > 0) throw new Error(problems.join("\n"));
	return ends;
}

const CLOSING = ["denied", "succeeded", "failed", "unknown"];

/** What one call's receipts say, and where they and its effects do not agree. */
function accountOf(receipts: readonly Receipt[], effects: readonly Effect[]) {
	const problems: string[] = [];
	const trail = receipts.map(({ type }) => type.replace("tool.call.", ""));
	const tool = (receipts[0]?.toolId.split(".").at(-1) ?? "") as WorldTool;
	const { idempotent, risk } = worldTools[tool];
	const [end = "", ...rest] = trail.filter((type) => CLOSING.includes(type));
	const ways = ["requested denied", `requested started ${end}`, `requested approved started ${end}`, "requested approved denied"];
	if (rest.length > 0 || !ways.includes(trail.join(" "))) problems.push(`has the trail ${trail.join(" ")}`);
	if (risk === "destructive" && trail.includes("started") && !trail.includes("approved"))
		problems.push("was started without being allowed");
	const mayRepeat = idempotent || risk === "read";
	if (effects.length > 1 && !mayRepeat) problems.push(`acted ${effects.length} times`);
	if (new Set(effects.map(({ key }) => key)).size > 1) problems.push("acted under two keys");
	if (new Set(effects.map(({ attempt }) => attempt)).size < effects.length) problems.push("acted twice in one attempt");
	if (effects.length > 0 && !trail.includes("started")) problems.push(`is ${end}, and acted`);
	if (end === "succeeded" && effects.length === 0) problems.push("is said to have succeeded, and did not act");
	if (end === "failed") problems.push("failed, although none of these tools fails");
	if (end === "unknown" && mayRepeat) problems.push("is unknown, although it could be made again");
	const code = receipts.at(-1)?.outcome?.code;
	const told = end === "succeeded" ? "succeeded" : end === "denied" ? "DENIED" : (code ?? end);
	return { problems, told, end: `${tool} ${end}${effects.length === 0 && end === "unknown" ? " without effect" : ""}` };
}

function numberOf(toolCallId: string): number {
	return Number(toolCallId.replace("call-", ""));
}
