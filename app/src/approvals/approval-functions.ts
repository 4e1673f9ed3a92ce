import { type Approval, limits } from "@xworkmate/contracts";
import type { ApprovalFunctions } from "../api/methods.ts";
import { pagesOf } from "../api/pages-of.ts";
import type { BridgeClient, RestartedBridge } from "../bridge-client/index.ts";
import type { ThreadRepository } from "../threads/thread-repository.ts";
import type { PendingApprovals } from "./pending-approvals.ts";

export interface ApprovalParts {
	readonly client: BridgeClient;
	readonly restarted: RestartedBridge;
	readonly repository: ThreadRepository;
	readonly approvals: PendingApprovals;
}

export function approvalFunctions({ client, restarted, repository, approvals }: ApprovalParts): ApprovalFunctions {
	return {
		listApprovals: async (query) => repository.titled(await restarted.ask(() => listed(client, query))),
		decideApproval: ({ approvalId, decision }) => approvals.decide(approvalId, decision),
		listGrants: async () => repository.titled((await client.call("xworkmate.approvals.grants", {})).items),
		revokeGrant: ({ approvalId }) => approvals.revoke(approvalId),
		approvalInput: (approval) => client.call("xworkmate.approvals.get", approval),
	};
}

/**
 * All requests that match a query, or the newest `limit` of them, in the order in which they were asked. The bridge lists page by page,
 * newest first, so the requests that expire first are on the last page.
 */
async function listed(client: BridgeClient, { limit, ...query }: Parameters<ApprovalFunctions["listApprovals"]>[0]) {
	const found = new Map<Approval["approvalId"], Approval>();
	const asked = { ...query, limit: limit ?? limits.listMax };
	for await (const { items } of pagesOf((after) => client.call("xworkmate.approvals.list", { ...asked, ...after }))) {
		for (const approval of items) found.set(approval.approvalId, approval);
		if (limit !== undefined) break;
	}
	return [...found.values()].reverse();
}
