import { Store, useStore } from "../connection/store.ts";

/** This page's clock, a tick a second for everything that counts. */
const clock = new Store(Date.now());
setInterval(() => clock.set(Date.now()), 1000);

export function useClock(): number {
	return useStore(clock);
}
