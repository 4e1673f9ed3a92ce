import { useStore } from "../connection/store.ts";
import { useApp, useWaiting } from "../state/app-context.tsx";
import { useReportedAsOf } from "./use-regained.ts";

/**
 * How many threads and plans wait for the user, for places that have no room for the time at which the number was last known: 0 if it may be
 * out of date or is not known yet.
 */
export function useWaitingNow(): number {
	const { app, link, state } = useApp();
	const isParked = useStore(link.parked);
	const asOf = useReportedAsOf();
	const waiting = useWaiting();
	return state === "live" && !isParked && asOf === undefined && app.plans?.known !== false ? waiting : 0;
}
