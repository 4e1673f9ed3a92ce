import type { Approval, ToolCall } from "@xworkmate/contracts";

/**
 * `isAllowed`: its request was allowed, whatever its agent has reported since. False: the request ended without being allowed, so
 * the call never ran; known only for an agent of this bridge, because a gateway's request may be answered elsewhere.
 */
export type SeenCall = ToolCall & {
	readonly isAllowed?: boolean;
	/** Its request is open, and shows the whole call. Only of typed calls. */
	readonly isAsked?: boolean;
	/** It had a request, which is shown beside it. Only of typed calls. */
	readonly hasRequest?: boolean;
	/** How long its agent waited for the answer to its request. */
	readonly waitedMs?: number;
	/** A receipt says that it may have acted or not. */
	readonly isUnknown?: true;
};

/** The call with what its request says about it. */
export function withRequest(call: SeenCall, approval: Approval): SeenCall {
	const isAllowed = call.isAllowed === true || isYes(approval) || (isNeverAllowed(approval) ? false : call.isAllowed);
	const hasRequest = call.hasRequest === true || approval.toolId !== undefined;
	const waitedMs = waitedFor(approval) ?? call.waitedMs;
	return {
		...call,
		isAsked: isOpenTyped(approval),
		hasRequest,
		...(isAllowed !== undefined && { isAllowed }),
		...(waitedMs !== undefined && { waitedMs }),
	};
}

function waitedFor({ state, requestedAt, decidedAt }: Approval): number | undefined {
	if (state === "pending" || decidedAt === undefined) return undefined;
	return Math.max(0, Date.parse(decidedAt) - Date.parse(requestedAt));
}

/** A request of a typed call shows the whole call. */
export function isOpenTyped({ state, toolId }: Approval): boolean {
	return state === "pending" && toolId !== undefined;
}

/** Whether it was allowed. */
export function isYes({ decision }: Approval): boolean {
	return decision === "allow_once" || decision === "allow_window";
}

/** Whether it has ended without being allowed, and cannot have been allowed elsewhere. */
function isNeverAllowed(approval: Approval): boolean {
	return approval.state !== "pending" && !isYes(approval) && approval.asker?.target === "agent";
}
