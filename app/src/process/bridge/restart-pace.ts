const FIRST_MS = 250;
const MOST_MS = 30_000;
/** A bridge that ran for this long was healthy, so its next end is a new problem. */
const STABLE_MS = 60_000;

/** How long to wait before each start: briefly after a healthy bridge, then longer after each failure, up to a limit. */
export class RestartPace {
	#attempt = 0;

	/** The next start: its number since the bridge was last healthy, and how long to wait for it. */
	next(): { readonly attempt: number; readonly afterMs: number } {
		this.#attempt++;
		return { attempt: this.#attempt, afterMs: Math.min(FIRST_MS * 2 ** (this.#attempt - 1), MOST_MS) };
	}

	/** Call this when a bridge has ended after running for this long. */
	ran(ms: number): void {
		if (ms >= STABLE_MS) this.#attempt = 0;
	}
}
