import type { Receipt } from "../receipts/receipt.ts";
import type { ActivityItem } from "./activity.ts";

/**
 * True for a decision about a call that its agent had already reported as finished, or stopped reporting: the decision does not change the
 * call's outcome. Depends on types only, so the page can load it.
 */
export function isLateDecision(
	{ origin, status, approval }: Pick<ActivityItem, "origin" | "status" | "approval">,
	{ type, decision }: Pick<Receipt, "type" | "decision">,
): boolean {
	const isDecision = (type === "tool.call.denied" || type === "tool.call.approved") && decision?.approvalId !== undefined;
	const isOver = status === "succeeded" || status === "failed" || status === "unknown";
	return isDecision && isOver && origin === "reported" && approval?.decision === undefined;
}
