import type { Approval, ToolCall } from "@xworkmate/contracts";
import { isPermission } from "@xworkmate/contracts/is-permission";
import { namedCall } from "../../text/calls/asked-view.ts";

/**
 * A call as the page shows it. `isAllowed`: true if its request was allowed, whatever its agent has reported since. False if its last open
 * request ended and none was allowed, so that the call never ran; this is known only for an agent of this bridge, because a gateway's
 * request may be answered elsewhere, and one that was open in a restored backup may have been answered since.
 */
export type SeenCall = ToolCall & {
	readonly isAllowed?: boolean;
	/** True if its request is open and shows the whole call. Only for typed calls. */
	readonly isAsked?: boolean;
	/** The ids of the call's open requests, if any. An agent may ask about a call again before its first request is answered. */
	readonly openRequests?: readonly string[];
	/** Present while a request is open that the agent made after the call was last allowed, if it ever was. One permission is enough. */
	readonly waits?: true;
	/** Present if the call has or had a request of any kind, however the request ended. */
	readonly wasAsked?: true;
	/** True if the call had a request, which is shown beside the call. Only for typed calls. */
	readonly hasRequest?: boolean;
	/** When the call's agent waited for answers to its requests. */
	readonly pauses?: readonly Pause[];
	/** Present if a receipt says that it is unknown whether the call had an effect. */
	readonly isUnknown?: true;
	/**
	 * The agent's description of the call in its request. The agent may describe it differently afterwards, but this is what the user decides
	 * about.
	 */
	readonly asked?: AskedCall;
};

/** From a request to its answer, in ms since the epoch. */
interface Pause {
	readonly approvalId: string;
	readonly from: number;
	readonly to: number;
}

type AskedCall = Pick<ToolCall, "title" | "toolKind" | "input" | "diff">;

/** A call with what its request reveals about it. */
export function withRequest(call: SeenCall, approval: Approval): SeenCall {
	const { isAllowed: wasAllowed, openRequests: before = [], waits: didWait, ...rest } = call;
	const others = before.filter((approvalId) => approvalId !== approval.approvalId);
	const openRequests = approval.state === "pending" ? [...others, approval.approvalId] : others;
	const isAllowed =
		wasAllowed === true || isPermission(approval.decision) || (openRequests.length > 0 ? undefined : permissionOf(approval, wasAllowed));
	const waits = approval.state === "pending" || (didWait === true && openRequests.length > 0 && !isPermission(approval.decision));
	const hasRequest = call.hasRequest === true || approval.toolId !== undefined;
	const pause = pauseFor(approval);
	return {
		...rest,
		isAsked: isOpenTyped(approval),
		wasAsked: true,
		hasRequest,
		...(openRequests.length > 0 && { openRequests }),
		...(waits && { waits }),
		// An agent may ask again about the same call and describe it differently. The latest description is what the user decides about.
		...(approval.state === "pending" && approval.toolId === undefined && { asked: askedCall(call, approval) }),
		...(isAllowed !== undefined && { isAllowed }),
		...(pause !== undefined && { pauses: [...(call.pauses ?? []).filter(({ approvalId }) => approvalId !== pause.approvalId), pause] }),
	};
}

/**
 * What the user decides about. An agent of this bridge may have changed the call while its request was being recorded, so the request's own
 * title and input count. A gateway may describe a request in other words than its call.
 */
function askedCall({ title, toolKind, input, diff }: SeenCall, approval: Approval): AskedCall {
	const isOwn = approval.asker?.target === "agent";
	const asked = isOwn ? { title: approval.title, toolKind: approval.toolKind } : { title, toolKind };
	const shown = isOwn && input !== undefined ? (approval.input ?? input) : input;
	return { ...asked, ...(shown && { input: shown }), ...(diff && { diff }) };
}

/** True if the agent has changed its description of the call since its request. */
export function hasChanged(call: SeenCall): boolean {
	return changesSince(call).length > 0;
}

/**
 * What the agent reports now of a call that it has changed since its request: the call's name, its input and its changes of files, each if
 * it differs. Empty if nothing differs. Files that it names besides don't count, because it may only have found them.
 */
export function changesSince({ asked, title, toolKind, input, diff }: SeenCall): readonly string[] {
	if (asked === undefined) return [];
	const { name } = namedCall({ title, toolKind, ...(input && { input }) });
	const isRenamed = namedCall(asked).name !== name;
	const hasOtherInput = asked.input?.text !== input?.text;
	const hasOtherDiff = JSON.stringify(asked.diff) !== JSON.stringify(diff);
	if (!isRenamed && !hasOtherInput && !hasOtherDiff) return [];
	const inputs = hasOtherInput && input !== undefined ? [input.text] : [];
	const diffs = hasOtherDiff ? (diff ?? []).map(({ path, newText }) => `${path}\n${newText}`) : [];
	const reported = [...(isRenamed ? [name] : []), ...inputs, ...diffs];
	return reported.length === 0 ? [name] : [...new Set(reported)];
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
	const isAllowed = call.isAllowed === true && call.waits !== true;
	return !isDenied && (isAllowed || call.unpermitted !== undefined) ? call : { ...rest, ...asked };
}

function pauseFor({ approvalId, state, requestedAt, decidedAt }: Approval): Pause | undefined {
	if (state === "pending" || decidedAt === undefined) return undefined;
	return { approvalId, from: Date.parse(requestedAt), to: Date.parse(decidedAt) };
}

/** How long the call's agent waited for answers, in ms. Time in which two requests were open counts once. */
export function waitedMs({ pauses = [] }: SeenCall): number {
	let waited = 0;
	let until = 0;
	for (const { from, to } of pauses.toSorted((one, other) => one.from - other.from)) {
		waited += Math.max(0, to - Math.max(from, until));
		until = Math.max(until, to);
	}
	return waited;
}

/** True for a call that has ended by its agent's report. */
export function hasEnded({ state }: Pick<ToolCall, "state">): boolean {
	return state === "completed" || state === "failed";
}

/** True for an open request of a typed call, which shows the whole call. */
export function isOpenTyped({ state, toolId }: Approval): boolean {
	return state === "pending" && toolId !== undefined;
}

/** After the last open request ended without being allowed: false if the call was certainly not allowed, undefined if that is unknown. */
function permissionOf(approval: Approval, before: boolean | undefined): boolean | undefined {
	return isNeverAllowed(approval) ? false : before;
}

/** True if a request that has ended cannot have been allowed elsewhere. */
function isNeverAllowed(approval: Approval): boolean {
	const { decision, asker, reason } = approval;
	return !isPermission(decision) && asker?.target === "agent" && reason !== "backup_restored";
}
