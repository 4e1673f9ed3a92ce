import type { Approval } from "@xworkmate/contracts";
import { type JointRequests, noRequests, withDenial, withPermission, withRequest } from "../../ports/runs/joint-requests.ts";
import type { AskedWords } from "../../ports/runs/run-event.ts";

/** A request that has ended, with what was asked. */
export interface Denial {
	readonly record: Approval;
	readonly asked: AskedWords | undefined;
}

/** By toolCallId: the requests about an agent's call, kept as long as one of them is open. */
export type CallRequests = ReadonlyMap<string, JointRequests<Denial>>;

/**
 * Returns the requests after one was added or has ended. `decides`: the record that decides about its call; absent if the call is not
 * decided yet, or was allowed already. A request from the bridge itself is the only one about its call. Pure.
 */
export function afterRequest(
	requests: CallRequests,
	record: Approval,
	asked: AskedWords | undefined,
): { readonly requests: CallRequests; readonly decides?: Denial } {
	const { toolCallId, toolId, approvalId, state, decision } = record;
	const end = { record, asked };
	if (toolCallId === undefined || toolId !== undefined) return { requests, ...(state !== "pending" && { decides: end }) };
	const joint = requests.get(toolCallId) ?? noRequests;
	const after = (next: JointRequests<Denial>): CallRequests => {
		const others = new Map(requests);
		others.delete(toolCallId);
		return next.open.size === 0 ? others : others.set(toolCallId, next);
	};
	if (state === "pending") return { requests: after(withRequest(joint, approvalId)) };
	if (decision !== undefined && decision !== "deny") return { requests: after(withPermission(joint, approvalId)), decides: end };
	const { joint: next, decides } = withDenial(joint, approvalId, end, state !== "decided");
	return { requests: after(next), ...(decides !== undefined && { decides }) };
}
