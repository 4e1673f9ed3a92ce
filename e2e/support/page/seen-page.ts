import type { Page } from "playwright-core";

export interface SeenFrame {
	readonly text: string;
	/** How many animations show that something is in progress. */
	readonly spinners: number;
}

/** Checks every frame of the page from now on, because text that appears only for a moment was also shown. */
export async function watchFrames(page: Page): Promise<() => Promise<readonly SeenFrame[]>> {
	await page.evaluate(look);
	return () => page.evaluate((): readonly SeenFrame[] => Reflect.get(globalThis, "seen"));
}

// In the page's own words, as it runs there. What is hidden is not read: `innerText` leaves it out.
const look = `
	globalThis.seen = [];
	const look = () => {
		const frame = { text: document.body.innerText, spinners: document.querySelectorAll(".spin").length };
		const last = seen.at(-1);
		if (last === undefined || last.text !== frame.text || last.spinners !== frame.spinners) seen.push(frame);
		requestAnimationFrame(look);
	};
	look();
`;
