import { z } from "zod";
import type { OpenedPage } from "../e2e/support/page/opened-page.ts";

export type Page = OpenedPage["page"];

/**
 * Runs in the page, put there through the browser's protocol. While it is on, every frame leaves its time; what a
 * frame showed is looked at in a task that comes after its paint. Looking is a function of the page's own that
 * returns numbers; `seen` keeps for each when it was painted first, by the wall clock.
 */
const probe = `{
	const probe = { frames: [], seen: {}, look: () => [], on: false };
	globalThis.probe = probe;
	const channel = new MessageChannel();
	channel.port1.onmessage = () => {
		const now = Date.now();
		for (const n of probe.look()) probe.seen[n] ??= now;
	};
	const frame = (time) => {
		if (!probe.on) return;
		probe.frames.push(time);
		channel.port2.postMessage(0);
		requestAnimationFrame(frame);
	};
	probe.begin = (look) => {
		Object.assign(probe, { frames: [], seen: {}, look, on: true });
		requestAnimationFrame(frame);
	};
}`;

const Seen = z.record(z.coerce.number(), z.number());

export interface Frames {
	readonly perSecond: number;
	/** Milliseconds between two frames, at the worst. */
	readonly longestMs: number;
	/** When each number was painted first, in milliseconds of the wall clock. */
	readonly seen: Readonly<Record<number, number>>;
}

export const lookAtNothing = "() => []";

/** Every number that a text of the form "tick 1 tick 2 tick 3 " has reached. */
export function lookForTicks(selector: string): string {
	return `() => {
		const text = document.querySelector(${JSON.stringify(selector)})?.textContent ?? "";
		const last = Number(/tick (\\d+)\\s*$/.exec(text.slice(-30))?.[1] ?? 0);
		const fresh = [];
		for (let n = last; n > 0 && probe.seen[n] === undefined; n--) fresh.push(n);
		return fresh;
	}`;
}

/** The frames that a page painted while something was done; `look` is the source of a function. */
export async function framesDuring(page: Page, look: string, act: () => Promise<void>): Promise<Frames> {
	await page.bringToFront();
	await page.evaluate(probe);
	await page.evaluate(`probe.begin(${look})`);
	await act();
	const found = await page.evaluate("probe.on = false, { frames: probe.frames, seen: probe.seen }");
	const { frames, seen } = z.object({ frames: z.array(z.number()).min(2), seen: Seen }).parse(found);
	const gaps = frames.slice(1).map((time, index) => time - (frames[index] ?? time));
	const total = gaps.reduce((sum, gap) => sum + gap, 0);
	return { perSecond: (gaps.length / total) * 1000, longestMs: Math.max(...gaps), seen };
}
