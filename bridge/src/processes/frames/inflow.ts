interface Waiting {
	readonly bytes: number;
	readonly go: () => void;
}

/**
 * How much of what children send may be in memory at once. Who wants more than is left waits, first come,
 * first served; someone is always let in, however much it is.
 */
export class Inflow {
	readonly #allowed: number;
	readonly #waiting: Waiting[] = [];
	#taken = 0;

	constructor(allowedBytes: number) {
		this.#allowed = allowedBytes;
	}

	/** Dispose of what it gives once the bytes are gone. */
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
