import type { Page } from "playwright-core";

export interface SeenFrame {
	readonly text: string;
	/** How many things move that say that something is under way. */
	readonly spinners: number;
}

/** Looks at every frame of the page from now on: what stood there for a moment only was said as well. */
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
