/**
 * Auto-reset event for one waiter: `set` ends the current wait or, if there is none, makes the next one return at once, so a `set` is never
 * lost. Several calls of `set` before a wait count as one: check the state after each wait.
 */
export class AutoResetEvent {
	#isSet = false;
	#closed = false;
	#wake = () => {};

	/** True once the event is closed: every wait then ends at once. */
	get closed(): boolean {
		return this.#closed;
	}

	set(): void {
		this.#isSet = true;
		this.#wake();
	}

	/** Ends the current wait, and makes every later one end immediately. */
	close(): void {
		this.#closed = true;
		this.set();
	}

	/** Resolves once the event is set or closed, or after `ms` milliseconds. Without `ms` there is no time limit. */
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
