import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** The requests in progress: calls, and streams, each of which lasts as long as its client reads it. */
export class Requests {
	readonly #calls = new Set<ServerResponse>();
	readonly #streams = new Set<ServerResponse>();
	#lastAt = performance.now();
	/** True while the app is about to end: requests that arrive now are refused, because the next app has to answer them. */
	areRefused = false;
	readonly #onUse: () => void;

	/** @param onUse called when a client asks for something */
	constructor(onUse: () => void = () => {}) {
		this.#onUse = onUse;
	}

	add(response: ServerResponse, isStream: boolean): void {
		const open = isStream ? this.#streams : this.#calls;
		open.add(response);
		this.#onUse();
		// Also emitted when the client has disconnected.
		response.once("close", () => {
			open.delete(response);
			this.#lastAt = performance.now();
		});
	}

	/** The time since the last request ended, in milliseconds; 0 while one is in progress. */
	get quietMs(): number {
		return this.#calls.size + this.#streams.size > 0 ? 0 : performance.now() - this.#lastAt;
	}

	/** Settles once no call is in progress, or after `withinMs`. */
	async answered(withinMs: number): Promise<void> {
		const signal = AbortSignal.timeout(withinMs);
		while (this.#calls.size > 0 && !signal.aborted) {
			await Promise.all([...this.#calls].map((response) => once(response, "close", { signal }))).catch(() => undefined);
		}
	}
}
