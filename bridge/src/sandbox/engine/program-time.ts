import type { RunMessage } from "./program-messages.ts";

const REALTIME = 0;
const MONOTONIC = 1;
const DONE = 0;
const NOT_SUPPORTED = 52;

/**
 * The clock and the randomness that an engine gets instead of the system's. The clock moves only when an answer arrives, so that a program
 * that gets the same answers in the same order does the same things.
 */
export class ProgramTime {
	#now: bigint;
	#random: number;

	constructor({ clockMs, seed }: Pick<RunMessage, "clockMs" | "seed">) {
		this.#now = nanoseconds(clockMs);
		this.#random = seed;
	}

	/** Sets the clock, never backwards. */
	moveTo(clockMs: number): void {
		const then = nanoseconds(clockMs);
		if (then > this.#now) this.#now = then;
	}

	/** The WASI system calls that this machine would otherwise answer. */
	systemCalls(memory: { readonly buffer: ArrayBuffer }): Record<string, (...values: never[]) => number> {
		return {
			clock_time_get: (clock: number, _precision: bigint, result: number) => {
				if (clock !== REALTIME && clock !== MONOTONIC) return NOT_SUPPORTED;
				new DataView(memory.buffer).setBigUint64(result, this.#now, true);
				return DONE;
			},
			random_get: (start: number, length: number) => {
				const bytes = new Uint8Array(memory.buffer, start, length);
				for (let index = 0; index < length; index++) {
					this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
					bytes[index] = this.#random >>> 24;
				}
				return DONE;
			},
		};
	}
}

function nanoseconds(milliseconds: number): bigint {
	return BigInt(Math.trunc(milliseconds)) * 1_000_000n;
}
