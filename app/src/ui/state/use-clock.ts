import { useSyncExternalStore } from "react";
import { Store, useStore } from "../connection/store.ts";

/** This page's clock, updated once a second. Everything that counts time uses it. */
const clock = new Store(Date.now());
setInterval(() => clock.set(Date.now()), 1000);

export function useClock(): number {
	return useStore(clock);
}

/** When the current day began, by this computer's calendar. Renders again only at midnight. */
export function useToday(): number {
	return useSyncExternalStore(clock.subscribe, beginOfDay);
}

function beginOfDay(): number {
	return new Date(clock.value).setHours(0, 0, 0, 0);
}
