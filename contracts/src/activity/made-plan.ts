import type { PlanId } from "../ids/plan-id.ts";
import type { Receipt } from "../receipts/receipt.ts";
import type { ToolId } from "../tools/tool-id.ts";

/** The bridge's built-in tool that makes a plan from a chat. It belongs to no integration. */
export const PLAN_TOOL = "xworkmate.plan.create" as ToolId;
/** Matches the beginning of the output, because the rest of a long output may be cut off. */
const MADE = /^\{"planId":"([A-Za-z0-9][A-Za-z0-9_-]{0,63})"/;

/** The plan that a call made, if this is the receipt of its success. The output can be trusted because the bridge wrote it. Pure. */
export function madePlan({ type, origin, toolId, outcome }: Receipt): PlanId | undefined {
	if (type !== "tool.call.succeeded" || origin !== "executed" || toolId !== PLAN_TOOL) return undefined;
	return MADE.exec(outcome?.preview?.text ?? "")?.[1] as PlanId | undefined;
}
