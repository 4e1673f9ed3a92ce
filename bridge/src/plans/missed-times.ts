import { limits, type Missed, type Timestamp } from "@xworkmate/contracts";
import { timestamp } from "../ports/clock.ts";

/** Times that have passed; the oldest and the newest in milliseconds. */
export interface Passed {
	readonly count: number;
	readonly first: number;
	readonly last: number;
}

/** A due time counts as late, and so as missed or too late, only after this long, because beginning an occurrence takes a moment. */
export const LATE_MS = 60_000;
/** How many due times are counted before the event loop gets a turn. Counting them takes a few milliseconds. */
const SLICE = 50;

/** The first time after a given one, both in milliseconds; undefined if there is none. */
export type NextTime = (after: number) => number | undefined;

/** The times from one that is due until now. `count` stops at `limits.missedTimes`; `last` is exact even then. */
export async function passedTimes(first: number, now: number, next: NextTime): Promise<Passed> {
	let count = 1;
	let last = first;
	for (let time = next(first); time !== undefined && time <= now; time = next(time)) {
		if (count >= limits.missedTimes) return { count, first, last: await lastUntil(now, last, next) };
		count++;
		last = time;
		if (count % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
	}
	return { count, first, last };
}

/**
 * The record of the due times that one occurrence covers; undefined if it covers only one, which is not late. An occurrence that is too
 * late to begin always has a record, so that a held occurrence without one is known to have been due during a pause.
 */
export function missedOf({ count, first, last }: Passed, now: number, isTooLate: boolean): Missed | undefined {
	if (count === 1 && now - last <= LATE_MS && !isTooLate) return undefined;
	return { count, first: timestamp(first), last: timestamp(last) };
}

/** The last time that is not after now. The search looks back twice as far each time, but never further than a known time. */
async function lastUntil(now: number, known: number, next: NextTime): Promise<number> {
	for (let back = LATE_MS; ; back *= 2) {
		const from = Math.max(known, now - back);
		let last: number | undefined;
		let looked = 0;
		for (let time = next(from); time !== undefined && time <= now; time = next(time)) {
			last = time;
			if (++looked % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		if (last !== undefined) return last;
		if (from === known) return known;
	}
}

/** A timestamp in milliseconds. */
export function millis(at: Timestamp): number {
	return Date.parse(at);
}
