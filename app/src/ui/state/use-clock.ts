import { Store, useStore } from "../connection/store.ts";

/** This page's clock, updated once a second. Everything that counts time uses it. */
const clock = new Store(Date.now());
setInterval(() => clock.set(Date.now()), 1000);

export function useClock(): number {
	return useStore(clock);
}
