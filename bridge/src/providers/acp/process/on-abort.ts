/**
 * Calls `act` once the signal is aborted, at once if it already is. Disposing removes the listener, which would otherwise stay for as long
 * as the signal does.
 */
export function onAbort(signal: AbortSignal, act: () => void): Disposable {
	if (signal.aborted) act();
	else signal.addEventListener("abort", act, { once: true });
	return { [Symbol.dispose]: () => signal.removeEventListener("abort", act) };
}
