import { type Approval, ApprovalDecision } from "@xworkmate/contracts";
import { z } from "zod";
import type { FakeRun } from "./fake-run.ts";

const Asked = z.looseObject({ state: z.string().optional(), runId: z.string().optional() });
const Decision = z.object({ approvalId: z.string(), decision: ApprovalDecision });

/** `xworkmate.approvals.list` over these runs, newest first. */
export function listApprovals(runs: readonly FakeRun[], params: unknown): readonly Approval[] {
	const { state, runId } = Asked.parse(params);
	const all = runs.flatMap((run) => [...run.approvals.values()]);
	const found = all.filter((each) => (state === undefined || each.state === state) && (runId === undefined || each.runId === runId));
	return found.toReversed();
}

/** `xworkmate.approvals.decide`: the first decision wins. */
export function decideApproval(runs: readonly FakeRun[], params: unknown) {
	const { approvalId, decision } = Decision.parse(params);
	const run = runs.find((each) => each.approvals.has(approvalId));
	const applied = run?.approvals.get(approvalId)?.state === "pending";
	const isOffer = run?.approvals.get(approvalId)?.grantScope !== undefined;
	if (applied) isOffer ? run?.offers(approvalId, decision) : run?.asks(approvalId, decision);
	return { record: run?.approvals.get(approvalId), applied };
}

/** `xworkmate.approvals.grants`: `allow_window` answers that were not revoked. */
export function listGrants(runs: readonly FakeRun[]): readonly Approval[] {
	const all = runs.flatMap((run) => [...run.approvals.values()]);
	return all.filter(
		({ decision, grantScope, revokedAt }) => decision === "allow_window" && grantScope !== undefined && revokedAt === undefined,
	);
}

/** `xworkmate.approvals.revoke`. */
export function revokeGrant(runs: readonly FakeRun[], params: unknown) {
	const { approvalId } = z.object({ approvalId: z.string() }).parse(params);
	const run = runs.find((each) => each.approvals.has(approvalId));
	const record = run?.approvals.get(approvalId);
	if (run === undefined || record === undefined) return { applied: false };
	const applied = record.revokedAt === undefined;
	const revoked = { ...record, revokedAt: record.revokedAt ?? record.requestedAt };
	run.approvals.set(approvalId, revoked);
	return { record: revoked, applied };
}
