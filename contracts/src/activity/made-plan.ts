import type { PlanId } from "../ids/plan-id.ts";
import type { Receipt } from "../receipts/receipt.ts";
import type { ToolId } from "../tools/tool-id.ts";

/** The bridge's own tool that makes a plan of a chat: its code belongs to no integration. */
export const PLAN_TOOL = "xworkmate.plan.create" as ToolId;
/** The output begins with it; the rest of a long one may be cut off. */
const MADE = /^\{"planId":"([A-Za-z0-9][A-Za-z0-9_-]{0,63})"/;

/** The plan that a call made, if this is the receipt of its success. The bridge wrote it, so its output is the bridge's. Pure. */
export function madePlan({ type, origin, toolId, outcome }: Receipt): PlanId | undefined {
	if (type !== "tool.call.succeeded" || origin !== "executed" || toolId !== PLAN_TOOL) return undefined;
	return MADE.exec(outcome?.preview?.text ?? "")?.[1] as PlanId | undefined;
}
