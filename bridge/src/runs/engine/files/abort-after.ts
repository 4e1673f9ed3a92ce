import type { Clock } from "../../../ports/clock.ts";

/** The longest single wait, and so the most of the time that a sleep of the machine, in which the work stood still, can use up. */
const WAIT_MS = 30_000;

/**
 * A signal that aborts after this time. Dispose of it when the work is done. AbortSignal.timeout can't be disposed of, so its signal would
 * stay in memory until it aborts.
 */
export function abortAfter(clock: Clock, milliseconds: number): Disposable & { readonly signal: AbortSignal } {
	const controller = new AbortController();
	const abort = () => controller.abort(new DOMException("The operation timed out.", "TimeoutError"));
	let timer: Disposable;
	const wait = (leftMs: number) => {
		const delayMs = Math.min(leftMs, WAIT_MS);
		timer = clock.at(clock.now() + delayMs, () => (leftMs > delayMs ? wait(leftMs - delayMs) : abort()));
	};
	wait(milliseconds);
	return { signal: controller.signal, [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
