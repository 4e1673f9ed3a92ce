import pTimeout from "p-timeout";

export const TIMED_OUT = Symbol("timed out");

/** Waits for work for at most `ms` milliseconds. The work itself continues. */
export function within<T>(work: Promise<T>, ms: number): Promise<T | typeof TIMED_OUT> {
	return pTimeout<T, typeof TIMED_OUT>(work, { milliseconds: ms, fallback: () => TIMED_OUT });
}
