import type { RunId } from "@xworkmate/contracts";
import type { StoredSince } from "../../api/app-api.ts";
import { localTime } from "../../text/local-time.ts";
import { isSettled, type Thread, type TurnStatus } from "../../threads/domain/thread.ts";
import type { Output } from "./output.ts";

/**
 * The runs that are waiting for an answer from the user. Undefined if the bridge does not answer; in that case, the state of an active run
 * may be out of date.
 */
export type AskedRuns = ReadonlySet<RunId | undefined> | undefined;

export function isUnderWay(status: TurnStatus | undefined): boolean {
	return status !== undefined && !isSettled(status);
}

/** `isNeeded`: true if one of the runs to be shown is active; otherwise the bridge is not asked. */
export async function askedRuns({ api }: Output, isNeeded: boolean): Promise<AskedRuns> {
	if (!isNeeded) return new Set();
	try {
		return new Set((await api.listApprovals({ state: "pending" })).map(({ runId }) => runId));
	} catch {
		return undefined;
	}
}

/**
 * When a thread's state was last known; undefined if it is current. If its run is waiting for the user, the bridge has just confirmed that.
 */
export function asOf({ turns, updatedAt }: Thread, known: StoredSince["asOf"], asked: AskedRuns): StoredSince["asOf"] {
	if (asked?.has(turns.at(-1)?.runId) === true) return undefined;
	return known ?? (asked === undefined && isUnderWay(turns.at(-1)?.status) ? updatedAt : undefined);
}

/** Words for a status that may be out of date, because contact with the active run is lost. */
export function asOfWords(asOf: string | undefined): string {
	return asOf === undefined ? "" : ` as of ${localTime(asOf, Date.now())}`;
}
