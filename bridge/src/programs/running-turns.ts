import pTimeout from "p-timeout";

const CLOSE_MS = 5_000;

/** The turns of a provider that run in the bridge's own process. */
export class RunningTurns {
	readonly #closing = new AbortController();
	readonly #running = new Set<Promise<unknown>>();

	/** Runs a turn. The signal that it gets is aborted by `stop` and by `close`. */
	async run<T>(stop: AbortSignal, turn: (stop: AbortSignal) => Promise<T>): Promise<T> {
		const outcome = turn(AbortSignal.any([stop, this.#closing.signal]));
		this.#running.add(outcome);
		try {
			return await outcome;
		} finally {
			this.#running.delete(outcome);
		}
	}

	/** Stops all turns, and waits until they have ended, but no longer than 5 seconds. */
	async close(): Promise<void> {
		this.#closing.abort();
		await pTimeout(Promise.allSettled(this.#running), { milliseconds: CLOSE_MS, fallback: () => undefined });
	}
}
