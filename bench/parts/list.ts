import { z } from "zod";
import { type OpenedPage, openPage } from "../../e2e/support/page/opened-page.ts";
import type { BenchOptions } from "../options.ts";
import { framesDuring, lookAtNothing, type Page } from "../page-probe.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { needle, writeThreadHistory } from "../thread-history.ts";

const FEW = 20;
/** Pixels per frame; a flick of a wheel is less. */
const STEP_PX = 240;

/** The list of threads in Chromium: thousands of threads compared with twenty, each in its own app and browser. */
export async function benchList({ quick }: BenchOptions): Promise<readonly Result[]> {
	const many = quick ? 500 : 5_000;
	await using full = await openWith(many);
	await using small = await openWith(FEW);
	const rounds = quick ? 2 : 5;
	const both = (measure: (page: Page, url: string) => Promise<number>) => ({
		few: () => measure(small.page, small.url),
		many: () => measure(full.page, full.url),
	});
	const compared = async (name: string, unit: string, measure: (page: Page, url: string) => Promise<number>, aim: { atMost: number }) => {
		await interleave(1, both(measure));
		const samples = await interleave(rounds, both(measure));
		return compare(samples, { name, unit, measured: "many", against: `${FEW} threads`, baseline: "few", aim });
	};
	const results = [
		await compared(`list of ${many} threads: from its address to its paint`, "ms", untilList, { atMost: 2 }),
		await compared(`list of ${many} threads: from a search's letters to its hit`, "ms", untilFound, { atMost: 2 }),
		await benchScroll(full.page, many, rounds),
	];
	for (const { app } of [full, small]) for (const pid of [app.command.pid, app.bridgePid]) hasEnded(pid);
	return results;
}

async function openWith(threads: number): Promise<OpenedPage> {
	const opened = await openPage({ prepare: (home) => writeThreadHistory(home, threads) });
	for (const pid of [opened.app.command.pid, opened.app.bridgePid]) endWithBench(pid);
	await opened.page.locator(".side [data-thread]").first().waitFor();
	return opened;
}

/** Milliseconds from the start of the navigation to the frame that shows rows. */
async function untilList(page: Page, url: string): Promise<number> {
	await page.goto("about:blank");
	await page.goto(url, { waitUntil: "commit" });
	return painted(page, "document.querySelector('.side [data-thread]') !== null", "0");
}

async function untilFound(page: Page): Promise<number> {
	const field = page.getByRole("searchbox", { name: "Search threads" });
	await page.evaluate(`addEventListener("input", () => { globalThis.typedAt = performance.now(); }, { once: true, capture: true })`);
	await field.fill(needle.slice(4, 12));
	const rows = "[...document.querySelectorAll('.side [data-thread]')]";
	const time = await painted(page, `${rows}.length === 1 && ${rows}[0].textContent.includes(${JSON.stringify(needle)})`, "typedAt");
	await field.fill("");
	await painted(page, `${rows}.length > 5`, "0");
	return time;
}

/** Milliseconds from `since` until the first frame in which `shown` holds is painted; both are source text that runs in the page. */
async function painted(page: Page, shown: string, since: string): Promise<number> {
	const look = `new Promise((resolve) => {
		const channel = new MessageChannel();
		channel.port1.onmessage = () => ((${shown}) ? resolve(performance.now() - ${since}) : requestAnimationFrame(frame));
		const frame = () => channel.port2.postMessage(0);
		requestAnimationFrame(frame);
	})`;
	return z.number().parse(await page.evaluate(look));
}

/** Scrolls from one end to the other and back, one step per frame, compared with as many frames of the idle page. */
async function benchScroll(page: Page, many: number, rounds: number): Promise<Result> {
	const frames = 240;
	const moving = (step: number) => `new Promise((resolve) => {
		const list = document.querySelector(".side .groups");
		let left = ${frames};
		const frame = () => {
			list.scrollTop += left > ${frames / 2} ? ${step} : -${step};
			if (--left > 0) requestAnimationFrame(frame);
			else resolve();
		};
		requestAnimationFrame(frame);
	})`;
	const rate = async (step: number) =>
		(await framesDuring(page, lookAtNothing, async () => void (await page.evaluate(moving(step))))).perSecond;
	const measures = { rest: () => rate(0), scrolling: () => rate(STEP_PX) };
	await interleave(1, measures);
	return compare(await interleave(rounds, measures), {
		name: `list of ${many} threads: frames while it scrolls`,
		unit: "frames/s",
		measured: "scrolling",
		against: "the same page, at rest",
		baseline: "rest",
		aim: { atLeast: 0.95 },
	});
}
