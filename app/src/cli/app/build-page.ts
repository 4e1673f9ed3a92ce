import { buildPageWhenStale } from "../../process/page-build.ts";
import { printable } from "../../text/printable.ts";
import type { Console } from "../parts/console.ts";

/** How much of the end of the builder's output is kept, in characters. */
const BUILDER_WORDS = 2_000;

export interface BuildPageContext {
	readonly console: Pick<Console, "note">;
	/** The builder is stopped when this settles. */
	readonly stopped: Promise<unknown>;
	readonly onError: (error: unknown) => void;
}

/** The command works without a page, so a failed build is only reported. */
export async function buildPage({ console, onError, stopped }: BuildPageContext): Promise<void> {
	const stop = new AbortController();
	void stopped.then(() => stop.abort());
	try {
		await buildPageWhenStale(console.note, stop.signal);
	} catch (error) {
		if (stop.signal.aborted) return;
		console.note("The page could not be built. Everything else works without it.");
		const said = error instanceof Error && "stderr" in error && typeof error.stderr === "string" ? error.stderr.trim() : "";
		if (said === "") onError(error);
		else console.note(printable(said.slice(-BUILDER_WORDS)));
	}
}
