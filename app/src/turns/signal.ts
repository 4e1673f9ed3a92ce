/** Wakes whatever waits. Call `next` before looking at the state: a ring from then on counts, an earlier one does not. */
export class Signal {
	stopped = false;
	#next = Promise.withResolvers<void>();

	/** Resolves at the next ring after this call. */
	next(): Promise<void> {
		if (this.stopped) return Promise.resolve();
		this.#next = Promise.withResolvers();
		return this.#next.promise;
	}

	ring(): void {
		this.#next.resolve();
	}

	stop(): void {
		this.stopped = true;
		this.ring();
	}
}
