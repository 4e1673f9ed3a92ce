import type { Timestamp } from "@xworkmate/contracts";

/** The clock that decisions and records use. Times are in milliseconds since the epoch. */
export interface Clock {
	now(): number;
	/** Calls `act` once at that time, or soon if it has passed. Disposing cancels the call. */
	at(time: number, act: () => void): Disposable;
}

/** The clock is read again at least this often. Node's timers may pause while the machine sleeps, but the clock does not. */
const LOOK_EVERY_MS = 30_000;

export const systemClock: Clock = {
	now: () => Date.now(),
	at: (time, act) => {
		let timer: NodeJS.Timeout;
		// The wait is over once the remaining time is counted down or the clock shows the time, whichever comes first, so that neither setting
		// the clock back nor a sleep of the machine extends it.
		const wait = (leftMs: number) => {
			const delayMs = Math.max(Math.min(leftMs, time - Date.now(), LOOK_EVERY_MS), 0);
			timer = setTimeout(() => (leftMs > delayMs && Date.now() < time ? wait(leftMs - delayMs) : act()), delayMs);
		};
		wait(time - Date.now());
		return { [Symbol.dispose]: () => clearTimeout(timer) };
	},
};

/** The longest single wait of `afterAwake`, and therefore the most time of its limit that one sleep of the machine can use up. */
const AWAKE_WAIT_MS = 30_000;

/**
 * Calls `act` once the machine has been awake for this long. Used for limits on work, which does not continue while the machine sleeps.
 * Disposing cancels the call.
 */
export function afterAwake(clock: Clock, milliseconds: number, act: () => void): Disposable {
	let timer: Disposable;
	const wait = (leftMs: number) => {
		const delayMs = Math.min(leftMs, AWAKE_WAIT_MS);
		timer = clock.at(clock.now() + delayMs, () => (leftMs > delayMs ? wait(leftMs - delayMs) : act()));
	};
	wait(milliseconds);
	return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

let newest = { milliseconds: 0, text: new Date(0).toISOString() };

/** RFC 3339 UTC with milliseconds. The newest text is cached, because a busy bridge formats the same millisecond many times. */
export function timestamp(milliseconds: number): Timestamp {
	if (newest.milliseconds !== milliseconds) newest = { milliseconds, text: new Date(milliseconds).toISOString() };
	return newest.text;
}
