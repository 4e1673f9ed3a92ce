/** Calls at work at once; a program that begins more is told so. */
const MAX_OPEN = 1000;

export interface SettledCall {
	readonly id: number;
	readonly answer: unknown;
}

/** The concurrent calls of one run, between their beginning and the moment the program hears the answer. */
export class OpenCalls {
	readonly #settled: SettledCall[] = [];
	#count = 0;
	#open = 0;
	#wake: (() => void) | undefined;

	/** @throws RangeError when too many are open. */
	begin(call: () => Promise<unknown>): number {
		if (this.#open >= MAX_OPEN) throw new RangeError(`more than ${MAX_OPEN} tool calls at once`);
		this.#open += 1;
		this.#count += 1;
		void this.#follow(this.#count, call());
		return this.#count;
	}

	/** The next call that settled, waited for at most `ms`. */
	async next(ms: number): Promise<SettledCall | undefined> {
		if (this.#settled.length === 0) await this.#settlement(ms);
		const call = this.#settled.shift();
		if (call !== undefined) this.#open -= 1;
		return call;
	}

	async #follow(id: number, call: Promise<unknown>): Promise<void> {
		try {
			this.#settled.push({ id, answer: await call });
			this.#wake?.();
		} catch {
			// A tool that rejects ends the run; there is nobody left to answer.
		}
	}

	async #settlement(ms: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#wake = resolve;
		const timer = setTimeout(resolve, ms);
		await promise;
		clearTimeout(timer);
	}
}
