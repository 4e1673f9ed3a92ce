import type { Clock } from "../ports/clock.ts";

/** Parks a program once it has been waiting for the user, and for nothing else, for some time. */
export class ParkWatch implements Disposable {
	readonly #clock: Clock;
	readonly #afterMs: number;
	readonly #park: () => void;
	#timer: Disposable | undefined;

	constructor(clock: Clock, afterMs: number, park: () => void) {
		this.#clock = clock;
		this.#afterMs = afterMs;
		this.#park = park;
	}

	/** `isWaiting`: true if every open call of the program is waiting for the user. */
	look(isWaiting: boolean): void {
		if (!isWaiting) this[Symbol.dispose]();
		else this.#timer ??= this.#clock.at(this.#clock.now() + this.#afterMs, this.#park);
	}

	[Symbol.dispose](): void {
		this.#timer?.[Symbol.dispose]();
		this.#timer = undefined;
	}
}
