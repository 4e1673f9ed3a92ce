import type { Occurrence } from "@xworkmate/contracts";

/**
 * True for an occurrence whose work was cancelled before its run ended. The run may still be active or may have ended since: an occurrence
 * that is already cancelled does not record the run's end.
 */
export function isCutShort({ status, kind, runs }: Pick<Occurrence, "status" | "kind" | "runs">): boolean {
	const run = runs.at(-1);
	return status !== "due" && status !== "running" && kind !== "resend" && run !== undefined && run.status === undefined;
}
