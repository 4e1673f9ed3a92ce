import { useStore } from "../connection/store.ts";
import { useApp, useWaiting } from "./app-context.tsx";
import { useReportedAsOf } from "./use-reported-as-of.ts";

/**
 * How many threads and plans wait for the user, for places that have no room for the time at which the number was last known: 0 if it may be
 * out of date, or while a bridge that is connected is being asked for its plans. If the bridge is away before it has listed them, the
 * number is that of the threads, as in the sidebar.
 */
export function useWaitingNow(): number {
	const { app, link, state } = useApp();
	const isParked = useStore(link.parked);
	const asOf = useReportedAsOf();
	const waiting = useWaiting();
	const isListing = app.plans?.known === false && app.bridge.state === "connected";
	return state === "live" && !isParked && asOf === undefined && !isListing ? waiting : 0;
}
