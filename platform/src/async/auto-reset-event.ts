/**
 * Auto-reset event, for one waiter: `set` ends its wait, or the next one when it is not waiting. A `set` is thus never
 * lost, and many before a wait count as one: look at the state after each wait.
 */
export class AutoResetEvent {
	#isSet = false;
	#closed = false;
	#wake = () => {};

	/** True once no wait will last any more. */
	get closed(): boolean {
		return this.#closed;
	}

	set(): void {
		this.#isSet = true;
		this.#wake();
	}

	/** Ends the wait, and all later ones at once. */
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
