import type { Approval, ToolCall } from "@xworkmate/contracts";
import { namedCall } from "../../api/asked-view.ts";

/**
 * A call as the page shows it. `isAllowed`: true if its request was allowed, whatever its agent has reported since. False if its last open
 * request ended and none was allowed, so that the call never ran; this is known only for an agent of this bridge, because a gateway's
 * request may be answered elsewhere.
 */
export type SeenCall = ToolCall & {
	readonly isAllowed?: boolean;
	/** True if its request is open and shows the whole call. Only for typed calls. */
	readonly isAsked?: boolean;
	/** The ids of the call's open requests, if any. An agent may ask about a call again before its first request is answered. */
	readonly openRequests?: readonly string[];
	/** Present if the call has or had a request of any kind, however the request ended. */
	readonly wasAsked?: true;
	/** True if the call had a request, which is shown beside the call. Only for typed calls. */
	readonly hasRequest?: boolean;
	/** How long the call's agent waited for the answer to the request. */
	readonly waitedMs?: number;
	/** Present if a receipt says that it is unknown whether the call had an effect. */
	readonly isUnknown?: true;
	/**
	 * The agent's description of the call in its request. The agent may describe it differently afterwards, but this is what the user decides
	 * about.
	 */
	readonly asked?: AskedCall;
};

type AskedCall = Pick<ToolCall, "title" | "toolKind" | "input" | "diff">;

/** A call with what its request reveals about it. */
export function withRequest(call: SeenCall, approval: Approval): SeenCall {
	const { isAllowed: wasAllowed, openRequests: before = [], ...rest } = call;
	const others = before.filter((approvalId) => approvalId !== approval.approvalId);
	const openRequests = approval.state === "pending" ? [...others, approval.approvalId] : others;
	const isAllowed = wasAllowed === true || isYes(approval) || (openRequests.length > 0 ? undefined : permissionOf(approval, wasAllowed));
	const hasRequest = call.hasRequest === true || approval.toolId !== undefined;
	const waitedMs = waitedFor(approval) ?? call.waitedMs;
	return {
		...rest,
		isAsked: isOpenTyped(approval),
		wasAsked: true,
		hasRequest,
		...(openRequests.length > 0 && { openRequests }),
		// An agent may ask again about the same call and describe it differently. The latest description is what the user decides about.
		...(approval.state === "pending" && approval.toolId === undefined && { asked: askedCall(call) }),
		...(isAllowed !== undefined && { isAllowed }),
		...(waitedMs !== undefined && { waitedMs }),
	};
}

function askedCall({ title, toolKind, input, diff }: SeenCall): AskedCall {
	return { title, toolKind, ...(input && { input }), ...(diff && { diff }) };
}

/** True if the agent has changed its description of the call since its request. */
export function hasChanged({ asked, examined: _examined, ...now }: SeenCall): boolean {
	if (asked === undefined) return false;
	if (namedCall(asked).name !== namedCall(now).name || asked.input?.text !== now.input?.text) return true;
	return JSON.stringify(asked.diff) !== JSON.stringify(now.diff);
}

/**
 * The call as its row shows it. What the user was asked about is shown until it has been allowed, or until the agent reports that it acted
 * without waiting. A call that was denied stays what it was when it was asked about, whatever the agent calls it afterwards.
 */
export function shownCall(call: SeenCall): SeenCall {
	const { asked, input: _input, diff: _diff, ...rest } = call;
	if (asked === undefined) return call;
	// Another call may have been denied, and this one allowed.
	const isDenied = call.deniedCommand === undefined && (call.unpermitted === "denied" || call.unpermitted === "found");
	return !isDenied && (call.isAllowed === true || call.unpermitted !== undefined) ? call : { ...rest, ...asked };
}

function waitedFor({ state, requestedAt, decidedAt }: Approval): number | undefined {
	if (state === "pending" || decidedAt === undefined) return undefined;
	return Math.max(0, Date.parse(decidedAt) - Date.parse(requestedAt));
}

/** True for an open request of a typed call, which shows the whole call. */
export function isOpenTyped({ state, toolId }: Approval): boolean {
	return state === "pending" && toolId !== undefined;
}

/** True if the request was allowed. */
export function isYes({ decision }: Approval): boolean {
	return decision === "allow_once" || decision === "allow_window";
}

/** After the last open request ended without being allowed: false if the call was certainly not allowed, undefined if that is unknown. */
function permissionOf(approval: Approval, before: boolean | undefined): boolean | undefined {
	return isNeverAllowed(approval) ? false : before;
}

/** True if a request that has ended cannot have been allowed elsewhere. */
function isNeverAllowed(approval: Approval): boolean {
	return !isYes(approval) && approval.asker?.target === "agent";
}
