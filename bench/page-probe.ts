import { z } from "zod";
import type { OpenedPage } from "../e2e/support/page/opened-page.ts";

export type Page = OpenedPage["page"];

/**
 * Runs in the page, injected through the browser's protocol. While active, it records the time of every frame, and examines what a frame
 * showed in a task after its paint. `look` is a function of the page that returns numbers; `seen` has the wall-clock time at which each was
 * first painted.
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
	/** The longest time between two frames, in milliseconds. */
	readonly longestMs: number;
	/** When each number was first painted, in wall-clock milliseconds. */
	readonly seen: Readonly<Record<number, number>>;
}

export const lookAtNothing = "() => []";

/** The numbers in a text of the form "tick 1 tick 2 tick 3 " that no earlier frame showed. */
export function lookForTicks(selector: string): string {
	return `() => {
		const text = document.querySelector(${JSON.stringify(selector)})?.textContent ?? "";
		const last = Number(/tick (\\d+)\\s*$/.exec(text.slice(-30))?.[1] ?? 0);
		const fresh = [];
		for (let n = last; n > 0 && probe.seen[n] === undefined; n--) fresh.push(n);
		return fresh;
	}`;
}

/** The frames that a page painted during `act`; `look` is the source of a function. */
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
