import { useSyncExternalStore } from "react";

let printing = false;
const listeners = new Set<() => void>();

function set(is: boolean): void {
	printing = is;
	for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
	if (listeners.size === 0) {
		addEventListener("beforeprint", begin);
		addEventListener("afterprint", end);
	}
	listeners.add(listener);
	return () => {
		listeners.delete(listener);
		if (listeners.size > 0) return;
		removeEventListener("beforeprint", begin);
		removeEventListener("afterprint", end);
	};
}

const begin = () => set(true);
const end = () => set(false);

/**
 * True while the page is being printed: then folded content is shown, because paper has no buttons. A change to this store is rendered
 * synchronously.
 */
export function usePrinting(): boolean {
	return useSyncExternalStore(subscribe, () => printing);
}
