import { isAutomatic } from "../approvals/is-automatic.ts";
import type { Receipt } from "../receipts/receipt.ts";
import type { ActivityItem } from "./activity.ts";

/**
 * True for a decision about a call that its agent had already reported as finished, or stopped reporting: the decision does not change the
 * call's outcome. A call that was allowed may have been reported as finished while another request about it was open. The answer to that one
 * counts if it is a denial, or if the user gives a permission that no one was asked for before. Pure and small, so the page can load it.
 */
export function isLateDecision(
	{ origin, status, approval, unpermitted }: Pick<ActivityItem, "origin" | "status" | "approval" | "unpermitted">,
	{ type, decision }: Pick<Receipt, "type" | "decision">,
): boolean {
	const isDecision = (type === "tool.call.denied" || type === "tool.call.approved") && decision?.approvalId !== undefined;
	const isOver = status === "succeeded" || status === "failed" || status === "unknown";
	if (!isDecision || !isOver || origin !== "reported") return false;
	if (approval?.decision === undefined) return true;
	if (unpermitted !== "unanswered" || approval.decision === "deny") return false;
	return decision.decision === "deny" || (isAutomatic(approval.by ?? "") && !isAutomatic(decision.by));
}
