import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import type { ApprovalAnswer } from "../runs/domain/approval-events.ts";
import { notOffered } from "./not-offered.ts";

/**
 * What a decision comes to. Allowing a call whose tool has changed, or whose tool a rule denies, denies it, because the call could not
 * start. Pure.
 * @throws ContractError INVALID_PARAMS (an option that was not offered)
 */
export function answerTo(
	{ options, toolChanged, forbidden }: Pick<Approval, "options" | "toolChanged" | "forbidden">,
	decision: ApprovalDecision,
	decidedBy: string,
): Pick<ApprovalAnswer, "decision" | "decidedBy" | "reason"> {
	if (toolChanged === true && decision !== "deny") return { decision: "deny", decidedBy: "policy", reason: "tool_changed" };
	if (forbidden === true && decision !== "deny") return { decision: "deny", decidedBy: "person", reason: "policy" };
	if (!options.includes(decision)) throw notOffered(options);
	return { decision, decidedBy };
}
