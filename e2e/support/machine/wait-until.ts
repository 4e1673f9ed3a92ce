import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits for something outside this process that announces itself to no one (a file, a process, a log
 * line). Asks every `everyMs`; fails with the name of what was missing.
 */
export async function waitUntil<T>(
	what: string,
	boundMs: number,
	ask: () => Promise<T | undefined> | T | undefined,
	everyMs = 20,
): Promise<T> {
	const end = performance.now() + boundMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (performance.now() > end) throw new Error(`waited ${boundMs} ms in vain for ${what}`);
		await delay(everyMs);
	}
}

/** Bounds a promise, so that a hang fails by name. */
export async function within<T>(what: string, boundMs: number, promise: Promise<T>): Promise<T> {
	const { promise: bound, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new Error(`waited ${boundMs} ms in vain for ${what}`)), boundMs);
	try {
		return await Promise.race([promise, bound]);
	} finally {
		clearTimeout(timer);
	}
}
