const FIRST_MS = 250;
const MOST_MS = 30_000;
/** A bridge that ran for so long is well: the next end is a new trouble. */
const STABLE_MS = 60_000;

/** How long to wait before each start: at once after a bridge that was well, then ever longer, never for good. */
export class RestartPace {
	#attempt = 0;

	/** The next start: which one it is since the bridge was well, and how long to wait for it. */
	next(): { readonly attempt: number; readonly afterMs: number } {
		this.#attempt++;
		return { attempt: this.#attempt, afterMs: Math.min(FIRST_MS * 2 ** (this.#attempt - 1), MOST_MS) };
	}

	/** A bridge ended that had run for this long. */
	ran(ms: number): void {
		if (ms >= STABLE_MS) this.#attempt = 0;
	}
}
