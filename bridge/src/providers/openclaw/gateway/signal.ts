/** Auto-reset event: a call while nothing waits ends the next wait. */
export class Signal {
	#called = Promise.withResolvers<void>();

	call(): void {
		this.#called.resolve();
	}

	/** Settles with the next call, or after `ms`. */
	async wait(ms: number): Promise<void> {
		const over = Promise.withResolvers<void>();
		const timer = setTimeout(over.resolve, ms);
		await Promise.race([this.#called.promise, over.promise]);
		clearTimeout(timer);
		this.#called = Promise.withResolvers();
	}
}
