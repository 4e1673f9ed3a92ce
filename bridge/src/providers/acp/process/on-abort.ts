/**
 * Calls `act` once the signal is aborted, immediately if it already is. Disposing removes the listener, which would otherwise live as long
 * as the signal.
 */
export function onAbort(signal: AbortSignal, act: () => void): Disposable {
	if (signal.aborted) act();
	else signal.addEventListener("abort", act, { once: true });
	return { [Symbol.dispose]: () => signal.removeEventListener("abort", act) };
}
