import type { CodeRun } from "./highlight-code.ts";

export interface HighlightRequest {
	readonly text: string;
	readonly relativePath: string;
}

/** In characters. A longer text stays plain, because its many pieces would make the page slow. */
const LONGEST = 200_000;
/** Rendering more pieces would block the page: in the worst case, the color changes with every letter. */
const MOST_PIECES = 20_000;
/** In milliseconds. Highlighting that takes longer is abandoned. */
const BOUND_MS = 3_000;
/** How many texts are highlighted at once. A conversation may contain hundreds. */
const AT_ONCE = 2;

let free = AT_ONCE;
const waiting: (() => void)[] = [];

async function take(): Promise<void> {
	if (free > 0) free -= 1;
	else await new Promise<void>((resolve) => waiting.push(resolve));
}

function giveBack(): void {
	const next = waiting.shift();
	if (next === undefined) free += 1;
	else next();
}

/**
 * The text in highlighted pieces; undefined if its language is unknown, if it has too many characters or pieces, or if highlighting fails
 * or takes too long. `signal` ends the work.
 */
export async function highlight(request: HighlightRequest, signal: AbortSignal): Promise<readonly CodeRun[] | undefined> {
	if (request.text.length > LONGEST) return undefined;
	await take();
	try {
		return signal.aborted ? undefined : await inWorker(request, signal);
	} finally {
		giveBack();
	}
}

function inWorker(request: HighlightRequest, signal: AbortSignal): Promise<readonly CodeRun[] | undefined> {
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
