import type { CodeRun } from "../model/highlight-code.ts";

export interface HighlightRequest {
	readonly text: string;
	readonly relativePath: string;
}

/** Longer programs stay plain: a page of so many pieces is slow. In characters. */
const LONGEST = 200_000;
/** More pieces would make the page stand still when they are drawn: a file may change its colour with every letter. */
const MOST_PIECES = 20_000;
/** What takes longer is not worth waiting for. */
const BOUND_MS = 3_000;

/** The text in coloured pieces; undefined when its language is not known, it is long, or it takes too long. `signal` ends the work. */
export function highlight(request: HighlightRequest, signal: AbortSignal): Promise<readonly CodeRun[] | undefined> {
	if (request.text.length > LONGEST || signal.aborted) return Promise.resolve(undefined);
	return new Promise((resolve) => {
		const worker = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
		const end = (runs: readonly CodeRun[] | undefined) => {
			clearTimeout(timer);
			worker.terminate();
			resolve(runs);
		};
		const timer = setTimeout(() => end(undefined), BOUND_MS);
		worker.addEventListener("message", ({ data }: MessageEvent<readonly CodeRun[] | undefined>) =>
			end(data && data.length <= MOST_PIECES ? data : undefined),
		);
		worker.addEventListener("error", () => end(undefined));
		signal.addEventListener("abort", () => end(undefined), { once: true });
		worker.postMessage(request);
	});
}
