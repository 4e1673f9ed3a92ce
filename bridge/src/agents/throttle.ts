/** Makes the first call immediately. All calls requested during an interval are replaced by a single call at its end. */
export class Throttle implements Disposable {
	readonly #act: () => void;
	readonly #everyMs: number;
	#timer: NodeJS.Timeout | undefined;
	#isDue = false;

	constructor(act: () => void, everyMs: number) {
		this.#act = act;
		this.#everyMs = everyMs;
	}

	call(): void {
		this.#isDue = true;
		if (this.#timer === undefined) this.#run();
	}

	[Symbol.dispose](): void {
		clearTimeout(this.#timer);
	}

	#run(): void {
		this.#isDue = false;
		this.#act();
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			if (this.#isDue) this.#run();
		}, this.#everyMs).unref();
	}
}
