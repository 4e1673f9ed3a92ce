import { afterAwake, type Clock } from "../../../ports/clock.ts";

/**
 * A signal that aborts after this much time, not counting time in which the machine sleeps. Dispose of it when the work is done.
 * AbortSignal.timeout can't be disposed of, so its signal would stay in memory until it aborts.
 */
export function abortAfter(clock: Clock, milliseconds: number): Disposable & { readonly signal: AbortSignal } {
	const controller = new AbortController();
	const timer = afterAwake(clock, milliseconds, () => controller.abort(new DOMException("The operation timed out.", "TimeoutError")));
	return { signal: controller.signal, [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
