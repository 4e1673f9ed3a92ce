import type { Approval } from "@xworkmate/contracts";
import { decisionLine } from "./decision-line.ts";

/**
 * How and why a typed call's request for approval ended, and who ended it; undefined while it is open. The text may contain names from
 * outside.
 */
export function approvalOutcome({ state, decision, decidedBy = "person", reason }: Approval): string | undefined {
	if (state === "pending") return undefined;
	const why = reason ?? (state === "decided" ? undefined : state);
	return decisionLine({ decision: decision ?? "deny", by: decidedBy, ...(why === undefined ? {} : { reason: why }) });
}
