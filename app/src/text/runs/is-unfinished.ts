import type { RunCode } from "@xworkmate/contracts";

/** Failures of runs that ended on their own, because the agent had no more to say. Any other failure stopped the run in the middle. */
const finished: ReadonlySet<string | undefined> = new Set<RunCode>(["REFUSED", "NO_OUTPUT"]);

/** True for a run that was stopped in the middle, possibly while writing its files. */
export function isUnfinished(status: string, code: string | undefined): boolean {
	return status === "cancelled" || status === "interrupted" || (status === "failed" && !finished.has(code));
}
