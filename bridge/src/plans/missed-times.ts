import type { Missed, Timestamp } from "@xworkmate/contracts";
import { timestamp } from "../ports/clock.ts";

/** Times that have passed, oldest and newest in milliseconds. */
export interface Passed {
	readonly count: number;
	readonly first: number;
	readonly last: number;
}

/** A time that is this much late was missed; less is how long it takes to begin. */
const LATE_MS = 60_000;
/** More are not counted one by one: every minute of a day. */
const MOST_COUNTED = 1_440;
/** How many are counted before others get the event loop: a few milliseconds. */
const SLICE = 50;

/** The first time after one, both in milliseconds; undefined: there is none. */
export type NextTime = (after: number) => number | undefined;

/** What passed from a time that is due until now. `count`: at most 1,440; the last is right also beyond. */
export async function passedTimes(first: number, now: number, next: NextTime): Promise<Passed> {
	let count = 1;
	let last = first;
	for (let time = next(first); time !== undefined && time <= now; time = next(time)) {
		if (count >= MOST_COUNTED) return { count, first, last: await lastUntil(now, last, next) };
		count++;
		last = time;
		if (count % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
	}
	return { count, first, last };
}

/** What an occurrence that stands for them says about them; undefined if it is the one time, and in time. */
export function missedOf({ count, first, last }: Passed, now: number): Missed | undefined {
	if (count === 1 && now - last <= LATE_MS) return undefined;
	return { count, first: timestamp(first), last: timestamp(last) };
}

/** Looks back from now, twice as far each time. */
async function lastUntil(now: number, known: number, next: NextTime): Promise<number> {
	for (let back = LATE_MS; now - back > known; back *= 2) {
		let last: number | undefined;
		let looked = 0;
		for (let time = next(now - back); time !== undefined && time <= now; time = next(time)) {
			last = time;
			if (++looked % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		if (last !== undefined) return last;
	}
	return known;
}

/** Milliseconds of a timestamp. */
export function millis(at: Timestamp): number {
	return Date.parse(at);
}
