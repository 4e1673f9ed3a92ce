import type { RunId } from "@xworkmate/contracts";
import type { StoredSince } from "../../api/app-api.ts";
import { localTime } from "../../text/local-time.ts";
import { isSettled, type Thread, type TurnStatus } from "../../threads/domain/thread.ts";
import type { Output } from "./output.ts";

/** The runs that wait for an answer of the user. Undefined: the bridge does not answer, so no state of an active run is current. */
export type AskedRuns = ReadonlySet<RunId | undefined> | undefined;

export function isUnderWay(status: TurnStatus | undefined): boolean {
	return status !== undefined && !isSettled(status);
}

/** `isNeeded`: one of the runs to be shown is active. */
export async function askedRuns({ api }: Output, isNeeded: boolean): Promise<AskedRuns> {
	if (!isNeeded) return new Set();
	try {
		return new Set((await api.listApprovals({ state: "pending" })).map(({ runId }) => runId));
	} catch {
		return undefined;
	}
}

/** Since when a thread's state is out of date. That its run waits for the user is what the bridge has just answered. */
export function asOf({ turns, updatedAt }: Thread, known: StoredSince["asOf"], asked: AskedRuns): StoredSince["asOf"] {
	if (asked?.has(turns.at(-1)?.runId) === true) return undefined;
	return known ?? (asked === undefined && isUnderWay(turns.at(-1)?.status) ? updatedAt : undefined);
}

/** The app has lost contact with the active run, so the status is the last known one. */
export function asOfWords(asOf: string | undefined): string {
	return asOf === undefined ? "" : ` as of ${localTime(asOf, Date.now())}`;
}
