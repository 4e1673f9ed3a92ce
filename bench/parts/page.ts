import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { unrulyAgent } from "../../e2e/support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../../e2e/support/page/opened-page.ts";
import { agentId } from "../bench-bridge.ts";
import type { BenchOptions } from "../options.ts";
import { type Frames, framesDuring, lookAtNothing, lookForTicks, type Page } from "../page-probe.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave, median } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";

const RUN_BOUND_MS = 120_000;
const OUTCOME_EVERY_MS = 200;
/** Slow enough that each piece is an update of its own. */
const TICKS_PER_SECOND = 20;
/** The first ticks are painted while the page is still busy sending the message. */
const WARM_TICKS = 10;

interface Pages {
	readonly opened: OpenedPage;
	readonly app: Page;
	readonly bare: Page;
}

/** What a user sees during a run, in Chromium, compared with a bare page that receives as many lines over node:http. */
export async function benchPage({ quick }: BenchOptions): Promise<readonly Result[]> {
	await using lines = await Program.start("./line-server.ts");
	const { port } = z.object({ port: z.number() }).parse(lines.ready);
	await using opened = await openPage({ agents: [unrulyAgent(agentId)] });
	const pids = [opened.app.command.pid, opened.app.bridgePid];
	for (const pid of pids) endWithBench(pid);
	const bare = await opened.another();
	await bare.goto(`http://127.0.0.1:${port}/`);
	const pages = { opened, app: opened.page, bare };
	const results = [
		...(await benchPaint(pages, quick ? 2 : 5, quick ? 40 : 100)),
		...(await benchFrames(pages, quick ? 1 : 3, quick ? 2 : 6)),
		...(await benchLongRun(pages, quick ? 1 : 3, quick ? 2_000 : 10_000)),
	];
	for (const pid of pids) hasEnded(pid);
	return results;
}

/** Time from the bridge's timestamp of an update, before its commit, to the paint of its text. */
async function benchPaint(pages: Pages, rounds: number, ticks: number): Promise<readonly Result[]> {
	const measures = { bare: () => barePaint(pages, ticks), app: () => appPaint(pages, ticks) };
	await interleave(1, measures);
	return [
		compare(await interleave(rounds, measures), {
			name: "page: an update's time in the bridge to its paint",
			unit: "ms",
			measured: "app",
			against: "bare page, bare stream",
			baseline: "bare",
		}),
	];
}

/** Frames per second during `seconds` of 500 updates per second. */
async function benchFrames(pages: Pages, rounds: number, seconds: number): Promise<readonly Result[]> {
	const samples = [];
	for (let round = 0; round < rounds; round++) {
		const idle = await framesDuring(pages.app, lookAtNothing, () => delay(seconds * 1000));
		const bare = await bareRun(pages, seconds * 500, 500);
		const app = await appRun(pages, `UNRULY:STEADY ${seconds * 500} 500`);
		samples.push({ idle: idle.perSecond, bare: bare.perSecond, app: app.perSecond });
	}
	const of = { name: "page: frames while 500 updates/s come in", unit: "frames/s", measured: "app" } as const;
	return [
		compare(samples, { ...of, against: "the page, idle", baseline: "idle", aim: { atLeast: 0.95 } }),
		compare(samples, { ...of, against: "bare page, 500 lines/s", baseline: "bare" }),
	];
}

/** The longest time without a frame in a run of this many updates, at a thousand per second. */
async function benchLongRun(pages: Pages, rounds: number, updates: number): Promise<readonly Result[]> {
	const samples = [];
	for (let round = 0; round < rounds; round++) {
		const bare = await bareRun(pages, updates, 1000);
		const app = await appRun(pages, `UNRULY:STEADY ${updates} 1000`);
		samples.push({ bare: bare.longestMs, app: app.longestMs, bareRate: bare.perSecond, appRate: app.perSecond });
	}
	const against = `bare page, ${updates} lines`;
	return [
		compare(samples, {
			name: `page: longest frame in a run of ${updates} updates`,
			unit: "ms",
			measured: "app",
			aim: { measuredAtMost: 100 },
			...{ against, baseline: "bare" },
		}),
		compare(samples, {
			name: `page: frames in a run of ${updates} updates`,
			unit: "frames/s",
			measured: "appRate",
			...{ against, baseline: "bareRate" },
		}),
	];
}

async function bareRun({ bare }: Pages, count: number, perSecond: number): Promise<Frames> {
	return framesDuring(bare, lookAtNothing, async () => void (await bare.evaluate(`run(${count}, ${perSecond})`)));
}

/** A run in its own thread, from the moment its turn appears to that of its outcome. */
async function appRun({ app }: Pages, prompt: string): Promise<Frames> {
	await app.bringToFront();
	await ask(app, agentId, prompt);
	return framesDuring(app, lookAtNothing, () => outcome(app));
}

/** Not `waitFor`, which searches the whole page in every frame: a tenth of the script time that it would measure. */
async function outcome(app: Page): Promise<void> {
	const until = performance.now() + RUN_BOUND_MS;
	while ((await app.evaluate(`document.querySelector("[data-outcome]") === null`)) === true) {
		if (performance.now() > until) throw new RangeError("the run has no outcome");
		await delay(OUTCOME_EVERY_MS);
	}
}

const Times = z.record(z.coerce.number(), z.number());

async function barePaint({ bare }: Pages, ticks: number): Promise<number> {
	let sent: unknown;
	await bare.evaluate(`document.querySelector("#log").textContent = ""`);
	const { seen } = await framesDuring(bare, lookForTicks("#log"), async () => {
		sent = await bare.evaluate(`run(${ticks}, ${TICKS_PER_SECOND})`);
		await bare.evaluate("new Promise(requestAnimationFrame)");
	});
	return medianDelay(Times.parse(sent), seen, ticks);
}

async function appPaint({ app }: Pages, ticks: number): Promise<number> {
	await app.bringToFront();
	await ask(app, agentId, `UNRULY:SLOW ${ticks} ${1000 / TICKS_PER_SECOND}`);
	const { seen } = await framesDuring(app, lookForTicks("[data-turn] .md"), () => outcome(app));
	return medianDelay(Times.parse(await app.evaluate(bridgeTimes)), seen, ticks);
}

/** The bridge's timestamp of each tick, from the app's record of the turn. */
const bridgeTimes = `(async () => {
	const threadId = decodeURIComponent(location.hash.split("/").at(-1));
	const turnId = document.querySelector("[data-turn]").dataset.turn;
	const body = JSON.stringify({ threadId, turnId, afterSeq: 0, limit: 1000 });
	const answer = await fetch("/api/readUpdates", { method: "POST", headers: { "content-type": "application/json" }, body });
	const { result } = await answer.json();
	return Object.fromEntries(
		result.updates.flatMap(({ at, update }) => {
			const [, tick] = update.kind === "message_delta" ? (/tick (\\d+) $/.exec(update.text) ?? []) : [];
			return tick === undefined ? [] : [[tick, Date.parse(at)]];
		}),
	);
})()`;

function medianDelay(sent: Readonly<Record<number, number>>, seen: Readonly<Record<number, number>>, ticks: number): number {
	const delays = [];
	for (let n = WARM_TICKS; n <= ticks; n++) {
		const [from, to] = [sent[n], seen[n]];
		if (from !== undefined && to !== undefined) delays.push(to - from);
	}
	if (delays.length < ticks / 2) throw new RangeError(`${delays.length} of ${ticks} ticks were sent and painted`);
	return median(delays);
}
