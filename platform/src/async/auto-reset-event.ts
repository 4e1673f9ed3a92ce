/**
 * Auto-reset event, for one waiter: `set` ends its wait, or the next one if it is not waiting. A `set` is thus never lost, and several
 * before a wait count as one, so check the state after each wait.
 */
export class AutoResetEvent {
	#isSet = false;
	#closed = false;
	#wake = () => {};

	/** True once the event is closed, so that every wait ends at once. */
	get closed(): boolean {
		return this.#closed;
	}

	set(): void {
		this.#isSet = true;
		this.#wake();
	}

	/** Ends the current wait, and makes all later ones end at once. */
	close(): void {
		this.#closed = true;
		this.set();
	}

	/** Settles once the event is set or closed, or after `ms`. */
	async wait(ms?: number): Promise<void> {
		if (!this.#isSet && !this.#closed) {
			const { promise, resolve } = Promise.withResolvers<void>();
			this.#wake = resolve;
			const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
			await promise;
			clearTimeout(timer);
		}
		this.#isSet = false;
	}
}
