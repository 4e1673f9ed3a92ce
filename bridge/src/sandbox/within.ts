export const TIMED_OUT = Symbol("timed out");

/** Waits for work at most `ms` milliseconds. The work itself continues. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | typeof TIMED_OUT> {
	const { promise, resolve } = Promise.withResolvers<typeof TIMED_OUT>();
	const timer = setTimeout(() => resolve(TIMED_OUT), ms);
	try {
		return await Promise.race([work, promise]);
	} finally {
		clearTimeout(timer);
	}
}
