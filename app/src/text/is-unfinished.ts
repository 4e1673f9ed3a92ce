import type { RunCode } from "@xworkmate/contracts";

/** Failures of runs that went on to their end: the agent had no more to say. Any other failure stopped the run in the middle. */
const finished: ReadonlySet<string | undefined> = new Set<RunCode>(["REFUSED", "NO_OUTPUT"]);

/** True for a run that ended before it was done, so that it may have been writing its files when it did. */
export function isUnfinished(status: string, code: string | undefined): boolean {
	return status === "cancelled" || status === "interrupted" || (status === "failed" && !finished.has(code));
}
