import type { Timestamp } from "@xworkmate/contracts";

/** The clock that decisions and records use. Times are in milliseconds since the epoch. */
export interface Clock {
	now(): number;
	/** Calls `act` once at that time, or soon if it has passed. Disposing cancels the call. */
	at(time: number, act: () => void): Disposable;
}

/** Longest delay that a Node timer accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
	now: () => Date.now(),
	at: (time, act) => {
		let timer: NodeJS.Timeout;
		// Counts down the remaining time instead of reading the clock again, so that setting the clock back does not extend a wait.
		const wait = (leftMs: number) => {
			const delayMs = Math.min(Math.max(leftMs, 0), MAX_TIMER_MS);
			timer = setTimeout(() => (leftMs > delayMs ? wait(leftMs - delayMs) : act()), delayMs);
		};
		wait(time - Date.now());
		return { [Symbol.dispose]: () => clearTimeout(timer) };
	},
};

let newest = { milliseconds: 0, text: new Date(0).toISOString() };

/** RFC 3339 UTC with milliseconds. The newest text is cached, because a busy bridge formats the same millisecond many times. */
export function timestamp(milliseconds: number): Timestamp {
	if (newest.milliseconds !== milliseconds) newest = { milliseconds, text: new Date(milliseconds).toISOString() };
	return newest.text;
}
