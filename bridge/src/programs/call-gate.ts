import type { Approval, DenyReason, Sha256 } from "@xworkmate/contracts";
import type { StandingCall } from "../ports/programs/program-log.ts";
import type { CallPolicy, CallQuestion } from "../ports/tools/call-policy.ts";
import type { ToolHosts } from "../ports/tools/tool-hosts.ts";

export interface GateRequest {
	readonly question: CallQuestion;
	readonly inputHash: Sha256;
	/** The call's receipts so far. Undefined: the call is being requested in the same step. */
	readonly standing: StandingCall | undefined;
	/** The request that the user answered. If absent, the policy allowed the call. */
	readonly approval?: Approval;
	/** What allowed the call without asking the user. */
	readonly by?: string | undefined;
	readonly now: number;
}

/** Why a call may not start after all. */
export interface GateRefusal {
	readonly by: string;
	readonly reason: DenyReason;
}

/**
 * The final check before a call starts, made in the same step in which `started` is recorded, so that nothing can change in between.
 * Undefined lets the call start.
 */
export function refusedAtGate(hosts: Pick<ToolHosts, "isCurrent">, policy: Pick<CallPolicy, "denial">, request: GateRequest) {
	return refusedByTool(hosts, request) ?? refusedByApproval(request) ?? policy.denial(request.question, request.by);
}

/** Refuses if the tool is no longer current, or is not the version that the user was asked about. */
function refusedByTool(hosts: Pick<ToolHosts, "isCurrent">, { question: { tool }, approval }: GateRequest): GateRefusal | undefined {
	const isSame = hosts.isCurrent(tool) && (approval === undefined || approval.toolHash === tool.toolHash);
	return isSame ? undefined : { by: "policy", reason: "tool_changed" };
}

/**
 * If the user was asked, refuses a call unless the user has allowed exactly this input and the request has not expired. Otherwise refuses a
 * call that has any receipt after its request.
 */
function refusedByApproval({ approval, standing, inputHash, now }: GateRequest): GateRefusal | undefined {
	const last = standing?.last.type;
	const isFresh = last === undefined || last === "tool.call.requested";
	if (approval === undefined) return isFresh ? undefined : { by: "policy", reason: "policy" };
	if (now >= Date.parse(approval.expiresAt)) return { by: "bridge", reason: "expired" };
	const decision = standing?.last.decision;
	const isAllowed =
		last === "tool.call.approved" &&
		decision?.approvalId === approval.approvalId &&
		decision.decision !== "deny" &&
		approval.inputHash === inputHash;
	return isAllowed ? undefined : { by: "policy", reason: "policy" };
}
