import type { ApprovalFunctions } from "../api/methods.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import type { ThreadRepository } from "../threads/thread-repository.ts";
import type { PendingApprovals } from "./pending-approvals.ts";

export interface ApprovalParts {
	readonly client: BridgeClient;
	readonly repository: ThreadRepository;
	readonly approvals: PendingApprovals;
}

export function approvalFunctions({ client, repository, approvals }: ApprovalParts): ApprovalFunctions {
	return {
		listApprovals: async (query) => repository.titled((await client.call("xworkmate.approvals.list", query)).items),
		decideApproval: ({ approvalId, decision }) => approvals.decide(approvalId, decision),
		listGrants: async () => repository.titled((await client.call("xworkmate.approvals.grants", {})).items),
		revokeGrant: ({ approvalId }) => approvals.revoke(approvalId),
		approvalInput: (approval) => client.call("xworkmate.approvals.get", approval),
	};
}
