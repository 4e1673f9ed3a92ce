import { type Approval, omitUndefined, type Timestamp } from "@xworkmate/contracts";
import type { PermissionRequest } from "../ports/agents/provider.ts";
import type { RunRecord } from "../ports/runs/run-record.ts";
import type { Allowed } from "./approval-policy.ts";

type Outcome = Pick<Approval, "state" | "decision" | "decidedAt" | "decidedBy" | "grant" | "reason">;

/** The outcome of a request that is made too late, is allowed, or is made in an unattended run. Undefined: ask the user. */
export function unasked(
	{ isLate }: Pick<PermissionRequest, "isLate">,
	record: RunRecord,
	allowed: Allowed | undefined,
	decidedAt: Timestamp,
): Outcome | undefined {
	// The run's log adds the reason: that the user stopped the run, or that it ended otherwise.
	if (isLate === true) return { state: "withdrawn", decidedAt };
	return allowed === undefined ? unattended(record, decidedAt) : outcomeBy(allowed.by, decidedAt);
}

/** The outcome of a request in an unattended run. Undefined: ask the user. */
function unattended({ input }: RunRecord, decidedAt: Timestamp): Outcome | undefined {
	if (input.assistant?.unattended !== true) return undefined;
	return { state: "decided", decision: "deny", decidedAt, decidedBy: "bridge", reason: "unattended" };
}

/** The outcome of a request that a grant or a rule allows. */
export function outcomeBy(by: Allowed["by"], decidedAt: Timestamp): Outcome {
	const outcome = { state: "decided", decision: "allow_once", decidedAt } as const;
	if (typeof by === "string") return { ...outcome, decidedBy: by };
	const { approvalId, decidedAt: givenAt, windowSeconds } = by;
	const grant = givenAt === undefined || windowSeconds === undefined ? undefined : { approvalId, decidedAt: givenAt, windowSeconds };
	return { ...outcome, decidedBy: `window:${approvalId}`, ...omitUndefined({ grant }) };
}
