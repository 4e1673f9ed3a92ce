import type { Occurrence } from "@xworkmate/contracts";

/**
 * True for an occurrence whose work was cancelled before its run ended. The run may be active or over: its end is not recorded in an
 * occurrence that was cancelled before it.
 */
export function isCutShort({ status, kind, runs }: Pick<Occurrence, "status" | "kind" | "runs">): boolean {
	const run = runs.at(-1);
	return status !== "due" && status !== "running" && kind !== "resend" && run !== undefined && run.status === undefined;
}
