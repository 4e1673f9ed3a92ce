import type { Timestamp } from "@xworkmate/contracts";

/** The only source of time; milliseconds since the epoch. */
export interface Clock {
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 UTC with milliseconds. */
export function timestamp(milliseconds: number): Timestamp {
	return new Date(milliseconds).toISOString();
}
