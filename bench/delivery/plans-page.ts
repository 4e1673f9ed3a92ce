import { z } from "zod";
import { type OpenedPage, openPage } from "../../e2e/support/page/opened-page.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { growPlans } from "./grow-plans.ts";

const FEW = 20;
const ROWS = ".wps .wp";
const env = { XWORKMATE_MAX_PLANS: "100000" };

/** The page of plans in Chromium, from its address to the paint of its cards: many plans beside few, each in its own app and browser. */
export async function benchPlansPage(quick: boolean): Promise<Result> {
	const many = quick ? 300 : 2_000;
	await using full = await openWith(many);
	await using small = await openWith(FEW);
	const measures = { few: () => untilCards(small), many: () => untilCards(full) };
	await interleave(1, measures);
	const samples = await interleave(quick ? 2 : 5, measures);
	for (const { app } of [full, small]) for (const pid of [app.command.pid, app.bridgePid]) hasEnded(pid);
	return compare(samples, {
		name: `page of ${many} plans: from its address to its paint`,
		unit: "ms",
		measured: "many",
		against: `${FEW} plans`,
		baseline: "few",
		aim: { atMost: 2 },
	});
}

async function openWith(plans: number): Promise<OpenedPage> {
	const opened = await openPage({ env, prepare: (home) => growPlans(home, plans) });
	for (const pid of [opened.app.command.pid, opened.app.bridgePid]) endWithBench(pid);
	return opened;
}

/** Milliseconds from the start of the navigation to the frame that shows cards. */
async function untilCards({ page, url }: OpenedPage): Promise<number> {
	await page.goto("about:blank");
	await page.goto(`${url}#/plans`, { waitUntil: "commit" });
	const look = `new Promise((resolve) => {
		const channel = new MessageChannel();
		const isShown = () => document.querySelector(${JSON.stringify(ROWS)}) !== null;
		channel.port1.onmessage = () => (isShown() ? resolve(performance.now()) : requestAnimationFrame(frame));
		const frame = () => channel.port2.postMessage(0);
		requestAnimationFrame(frame);
	})`;
	return z.number().parse(await page.evaluate(look));
}
