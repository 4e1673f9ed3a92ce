import type { ChangeCursor, ChangePage } from "@xworkmate/contracts";
import type { RunEvent } from "./run-event.ts";

/**
 * What changed in the whole bridge, kept with what changed and in the same transaction. Each run and each approval is in it
 * once, at its latest change, and is read as it is now: it stays as small as the lists, whoever reads it and however late.
 */
export interface ChangeStore {
	/** After a cursor, in order, at most `limit`. A cursor of another log is answered with `resync`, and everything after it. */
	read(after: ChangeCursor | undefined, limit: number): Promise<ChangePage>;
}

/** True for an event that changes what a list of runs or of approvals shows. */
export function isListed({ type }: RunEvent): boolean {
	return type === "accepted" || type === "started" || type === "approval" || type === "ended";
}
