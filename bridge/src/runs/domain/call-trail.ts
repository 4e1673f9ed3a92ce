import { hash } from "node:crypto";
import {
	type Activity,
	type ActivityItem,
	activityOf,
	type CallActivity,
	type ChainHead,
	callAfter,
	chained,
	emptyChain,
	isLateDecision,
	omitUndefined,
	type Receipt,
	type ReceiptDraft,
	type RunId,
	type Sha256,
	type Timestamp,
} from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { RunEvent } from "../../ports/runs/run-event.ts";
import { PersistentMap } from "./persistent-map.ts";

const sha256 = (text: string): Sha256 => hash("sha256", text);

/** A call that was requested and has not ended. */
export interface OpenCall {
	/** The call's latest receipt. */
	readonly last: Receipt;
	/** The call's first receipt, which names it, or the permission that took back its denial. */
	readonly requested: Receipt;
	/** True if the call has started. A permission for a call that its agent had already begun comes after its start. */
	readonly hasStarted: boolean;
	/** The words and the input that receipts of the call have shown last. */
	readonly shown: Pick<Receipt, "words" | "input">;
}

/** A call with its place in the order of first receipts. */
export interface PlacedCall extends CallActivity {
	readonly place: number;
	/** The ids of the requests whose permissions have receipts. */
	readonly allowed: ReadonlySet<string>;
}

/** The parts of a run's receipts that the next receipt and the activity depend on. */
export interface CallTrail {
	readonly runId: RunId;
	readonly head: ChainHead;
	/** The open calls by toolCallId, in the order in which they were requested. */
	readonly open: ReadonlyMap<string, OpenCall>;
	/** Every call, by toolCallId. */
	readonly calls: PersistentMap<PlacedCall>;
	/** When the last receipt was written. */
	readonly asOf: Timestamp;
}

/** What may follow the last receipt of a call; "none" means a call without receipts. */
const successors: { readonly [Last in Receipt["type"] | "none"]?: readonly Receipt["type"][] } = {
	none: ["tool.call.requested"],
	// After a restored backup, it is unknown whether a call was made that the backup has as asked about.
	"tool.call.requested": ["tool.call.approved", "tool.call.denied", "tool.call.failed", "tool.call.started", "tool.call.unknown"],
	"tool.call.approved": ["tool.call.denied", "tool.call.started", "tool.call.unknown"],
	// A read, or a call that may be repeated, is started again if its bridge ended.
	"tool.call.started": ["tool.call.started", "tool.call.succeeded", "tool.call.failed", "tool.call.unknown"],
};

/** True for a reported call that the user or a rule did not allow, even if it had begun when it was denied. */
export function isDenied({ origin, status, code }: ActivityItem): boolean {
	return origin === "reported" && (status === "denied" || (status === "failed" && code === "DENIED"));
}

/** True for a call that its agent reports as done. */
export function isSaidDone({ origin, status }: ActivityItem): boolean {
	return origin === "reported" && status === "succeeded";
}

/**
 * True for a receipt that may come next in its call. After the call's end, only receipts of seven facts are accepted, because these must
 * not be lost: the agent did what was denied; what it reported as done has failed; it did something other than what was allowed; it asked
 * only after it had reported the call as done; the user answered a question about something that the agent did without waiting; the files
 * of a call that was reported as done now show something else; or the agent asked again about a denied call, and was allowed to continue
 * it.
 */
function mayFollow(trail: CallTrail | undefined, { type, toolCallId, origin, detail, decision }: ReceiptDraft): boolean {
	if (!type.startsWith("tool.call.")) return true;
	if (toolCallId === undefined) return false;
	const open = trail?.open.get(toolCallId);
	const closed = open === undefined ? trail?.calls.get(toolCallId)?.item : undefined;
	if (closed !== undefined) {
		if (type === "tool.call.succeeded" && detail?.contradiction !== undefined) return isSaidDone(closed);
		const isLate = detail?.unpermitted === "another" || detail?.unpermitted === "unanswered";
		if (type === "tool.call.succeeded" && isLate) return isSaidDone(closed);
		if (type === "tool.call.succeeded") return detail?.unpermitted !== undefined && isDenied(closed);
		if (type === "tool.call.failed") return isSaidDone(closed);
		if (type === "tool.call.approved" && decision?.approvalId !== undefined && isDenied(closed)) return origin === "reported";
		return origin === "reported" && isLateDecision(closed, { type, decision });
	}
	if (open === undefined) return type === "tool.call.requested";
	if (open.requested.origin !== origin) return false;
	// An agent may ask about a call that it has already begun, and about one that was allowed.
	if (type === "tool.call.approved" && origin === "reported" && decision?.approvalId !== undefined) return true;
	// An agent may report that an allowed call failed without having reported that the call began.
	if (type === "tool.call.failed" && origin === "reported" && open.last.type === "tool.call.approved") return true;
	// An agent may stop reporting at any point.
	if (type === "tool.call.unknown" && origin === "reported") return true;
	return successors[open.hasStarted ? "tool.call.started" : open.last.type]?.includes(type) === true;
}

const closing: ReadonlySet<Receipt["type"]> = new Set(["tool.call.denied", "tool.call.succeeded", "tool.call.failed", "tool.call.unknown"]);

/** The trail after one more receipt. Pure. */
export function extendTrail(trail: CallTrail | undefined, receipt: Receipt): CallTrail {
	const { runId, toolCallId, type } = receipt;
	if (runId === undefined) throw new Error("a receipt without a run can't be added to a run's trail");
	const next = {
		runId,
		head: { count: receipt.n, hash: receipt.hash },
		open: trail?.open ?? new Map(),
		calls: trail?.calls ?? new PersistentMap(),
		asOf: receipt.at,
	};
	if (toolCallId === undefined || !type.startsWith("tool.call.")) return next;
	const before = next.calls.get(toolCallId);
	const open = new Map(next.open);
	const isLate = before !== undefined && isLateDecision(before.item, receipt) && !open.has(toolCallId);
	if (closing.has(type)) open.delete(toolCallId);
	else if (!isLate) open.set(toolCallId, openAfter(open.get(toolCallId), receipt));
	const call = callAfter(before, receipt);
	const placed = { place: before?.place ?? next.calls.size, allowed: allowedAfter(before?.allowed, receipt) };
	const calls = call === undefined ? next.calls : next.calls.with(toolCallId, { ...call, ...placed });
	return { ...next, open, calls };
}

function allowedAfter(before: ReadonlySet<string> = new Set(), { type, decision }: Receipt): ReadonlySet<string> {
	const approvalId = type === "tool.call.approved" ? decision?.approvalId : undefined;
	return approvalId === undefined ? before : new Set([...before, approvalId]);
}

function openAfter(before: OpenCall | undefined, receipt: Receipt): OpenCall {
	const { type, words = before?.shown.words, input = before?.shown.input } = receipt;
	return {
		requested: before?.requested ?? receipt,
		last: receipt,
		hasStarted: type === "tool.call.started" || before?.hasStarted === true,
		shown: omitUndefined({ words, input }),
	};
}

/**
 * The events of receipts that continue a trail, each chained to the one before. A receipt that cannot come next in its call is left out, so
 * that a caller's mistake does not corrupt the record. Pure.
 */
export function receiptEvents(
	runId: RunId,
	trail: CallTrail | undefined,
	drafts: readonly ReceiptDraft[],
	now: number,
): readonly RunEvent[] {
	let latest = trail;
	return drafts.flatMap((draft): RunEvent[] => {
		if (!mayFollow(latest, draft)) return [];
		const receipt = chained(runId, latest?.head ?? emptyChain(runId), timestamp(now), draft, sha256);
		latest = extendTrail(latest, receipt);
		return [{ type: "receipt", receipt }];
	});
}

/**
 * The final receipts of calls that are still open when their run ends. `isRestored`: the run ends because a backup was restored. What became
 * of the calls after the backup was made is not known.
 */
export function closingDrafts({ open }: CallTrail, isRestored: boolean): readonly ReceiptDraft[] {
	return [...open.values()].map(({ requested, last }): ReceiptDraft => {
		const { toolCallId, origin } = requested;
		// An agent may have given its call a more serious kind since it first reported the call.
		const { toolId, risk } = origin === "reported" ? last : requested;
		const call = { ...(toolCallId && { toolCallId }), ...(toolId && { toolId }), ...(risk && { risk }), origin };
		if (isRestored) {
			return {
				type: "tool.call.unknown",
				...call,
				outcome: { code: "OUTCOME_UNKNOWN", attempt: last.outcome?.attempt ?? 0, durationMs: 0 },
			};
		}
		if (origin === "reported") {
			return { type: "tool.call.unknown", ...call, outcome: { code: "NOT_REPORTED", attempt: 0, durationMs: 0 } };
		}
		if (last.type !== "tool.call.started") {
			return { type: "tool.call.denied", ...call, decision: { by: "bridge", decision: "deny", reason: "run_ended" } };
		}
		const attempt = last.outcome?.attempt ?? 1;
		return { type: "tool.call.unknown", ...call, outcome: { code: "OUTCOME_UNKNOWN", attempt, durationMs: 0 } };
	});
}

/** What the run has done so far. Pure. */
export function activityOfTrail({ runId, asOf, calls }: CallTrail, most?: number): Activity {
	const placed = [...calls.values()].sort((one, other) => one.place - other.place);
	return activityOf(runId, asOf, placed, most);
}
