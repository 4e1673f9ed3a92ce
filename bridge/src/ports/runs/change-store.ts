import type { ChangeCursor, ChangePage } from "@xworkmate/contracts";
import type { RunEvent } from "./run-event.ts";

/**
 * All changes of the bridge, stored with the changed records in the same transaction. Each run and each approval appears once, at its
 * latest change, and is read in its current state, so the feed stays as small as the lists.
 */
export interface ChangeStore {
	/**
	 * Changes after a cursor, in order, at most `limit`. For a cursor of another log, the page begins with `resync`, followed by all changes.
	 */
	read(after: ChangeCursor | undefined, limit: number): Promise<ChangePage>;
}

/** True for an event that changes what a list of runs or of approvals shows. */
export function isListed({ type }: RunEvent): boolean {
	return type === "accepted" || type === "started" || type === "approval" || type === "ended";
}
