interface Waiting {
	readonly bytes: number;
	readonly go: () => void;
}

/**
 * Limits how much of what child processes send is in memory at once. Requests for more than is available wait, in order of arrival. If
 * nothing is in memory, a request of any size is admitted.
 */
export class Inflow {
	readonly #allowed: number;
	readonly #waiting: Waiting[] = [];
	#taken = 0;

	constructor(allowedBytes: number) {
		this.#allowed = allowedBytes;
	}

	/** Waits for room for `bytes`. Dispose of the result once those bytes are released. */
	async admit(bytes: number): Promise<Disposable> {
		const admitted = new Promise<void>((resolve) => this.#waiting.push({ bytes, go: resolve }));
		this.#admitNext();
		await admitted;
		return {
			[Symbol.dispose]: () => {
				this.#taken -= bytes;
				this.#admitNext();
			},
		};
	}

	#admitNext(): void {
		for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
			if (this.#taken > 0 && this.#taken + next.bytes > this.#allowed) return;
			this.#waiting.shift();
			this.#taken += next.bytes;
			next.go();
		}
	}
}
