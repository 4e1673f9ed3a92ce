import type { RunId, Timestamp } from "../ids/ids.ts";
import type { Receipt } from "../receipts/receipt.ts";
import { visible } from "../text/visible.ts";
import { isMoreSerious } from "../tools/serious-kind.ts";
import type { ReportedToolId } from "../tools/tool-id.ts";
import type { Activity, ActivityItem, ActivityStatus } from "./activity.ts";
import { nameAfter } from "./call-name.ts";
import { isLateDecision } from "./late-decision.ts";
import { madePlan } from "./made-plan.ts";
import { mostTelling } from "./most-telling.ts";
import { contradictionBy, deniedCommandBy, swappedBy, unpermittedBy } from "./unpermitted.ts";

/** One call of a run, according to its receipts so far. */
export interface CallActivity {
	readonly item: ActivityItem;
	/** True for a read that a decision is based on. It is listed although it changed nothing. */
	readonly isKeyRead: boolean;
}

const statuses: { readonly [Type in Receipt["type"]]?: ActivityStatus } = {
	"tool.call.requested": "pending",
	"tool.call.approved": "pending",
	"tool.call.started": "pending",
	"tool.call.succeeded": "succeeded",
	"tool.call.failed": "failed",
	"tool.call.denied": "denied",
	"tool.call.unknown": "unknown",
};

/**
 * The call with one more receipt applied; returned unchanged if the receipt does not belong to a call. Hidden characters in text from
 * elsewhere are made visible. Pure, in constant time.
 */
export function callAfter(call: CallActivity | undefined, receipt: Receipt): CallActivity | undefined {
	const { toolCallId, type, decision, outcome } = receipt;
	const status = statuses[type];
	if (toolCallId === undefined || status === undefined) return call;
	const earlier = call?.item;
	if (earlier !== undefined && isLateDecision(earlier, receipt))
		return { isKeyRead: call?.isKeyRead === true, item: afterLateDecision(earlier, receipt) };
	const approval = approvalAfter(earlier?.approval, receipt);
	const named = nameAfter(earlier, receipt);
	const planId = madePlan(receipt);
	const code = status === "denied" ? (decision?.reason ?? outcome?.code) : outcome?.code;
	const unpermitted = unpermittedBy(receipt);
	const swapped = swappedBy(receipt);
	const deniedCommand = deniedCommandBy(receipt);
	const contradiction = contradictionBy(receipt);
	const item: ActivityItem = {
		toolCallId,
		...toolAfter(earlier, receipt),
		origin: earlier?.origin ?? receipt.origin,
		status,
		...(approval === undefined ? {} : { approval }),
		...(unpermitted === undefined ? {} : { unpermitted }),
		...(unpermitted === "found" && receipt.detail?.onlyChanged === true && { onlyChanged: true }),
		...(swapped === undefined ? {} : { swapped: { allowed: visible(swapped.allowed), reported: visible(swapped.reported) } }),
		...(deniedCommand === undefined ? {} : { deniedCommand: visible(deniedCommand) }),
		...(contradiction === undefined ? {} : { contradiction }),
		when: receipt.at,
		...named,
		receiptRef: receipt.receiptId,
		...(planId === undefined ? {} : { planId }),
		...(code === undefined || status === "succeeded" ? {} : { code }),
		...(outcome?.message === undefined || status === "succeeded" ? {} : { message: visible(outcome.message) }),
	};
	return { item, isKeyRead: call?.isKeyRead === true || receipt.detail?.keyRead === true };
}

/** A call of an agent has the most serious kind that the agent gave it, in a report or in a request. */
function toolAfter(earlier: ActivityItem | undefined, { toolId, risk, origin }: Receipt): Pick<ActivityItem, "toolId" | "risk"> {
	// A receipt without a tool was not written by this bridge, so it is not attributed to a typed tool.
	if (earlier === undefined) return { toolId: toolId ?? ("unknown:other" as ReportedToolId), risk: risk ?? "destructive" };
	const isRaised = origin === "reported" && toolId !== undefined && risk !== undefined && isMoreSerious(toolId, earlier.toolId);
	return isRaised ? { toolId, risk } : { toolId: earlier.toolId, risk: earlier.risk };
}

function afterLateDecision(earlier: ActivityItem, receipt: Receipt): ActivityItem {
	const approval = approvalAfter(earlier.approval, receipt);
	const { title: _title, command: _command, commandTruncated: _truncated, file: _file, ...rest } = earlier;
	return { ...rest, ...toolAfter(earlier, receipt), ...nameAfter(earlier, receipt), ...(approval && { approval }) };
}

function approvalAfter(before: ActivityItem["approval"], { type, origin, decision }: Receipt): ActivityItem["approval"] {
	if (decision !== undefined) {
		// If the user was not asked, no approval was required: a rule, the agent or the bridge itself decided.
		return { required: decision.approvalId !== undefined, decision: decision.decision, by: visible(decision.by) };
	}
	return before === undefined && type === "tool.call.started" && origin === "executed" ? { required: false } : before;
}

/**
 * True for every call that may have changed something, for key reads, for every read that did not succeed, and for what an agent calls a
 * read if the user or a rule decided about it, or if it was made without permission.
 */
function isRelevant({ item: { risk, status, origin, approval, unpermitted }, isKeyRead }: CallActivity): boolean {
	const isDecided = origin === "reported" && (approval?.decision !== undefined || unpermitted !== undefined);
	return risk !== "read" || status !== "succeeded" || isKeyRead || isDecided;
}

/**
 * The activity of a run. `calls` are in the order of their first receipts; `most` limits how many items are listed, and those on which
 * judgments of the run depend are kept. Calls that an agent reported are counted separately, because nothing proves that they happened.
 * Pure.
 */
export function activityOf(
	runId: RunId,
	asOf: Timestamp | undefined,
	calls: Iterable<CallActivity>,
	most = Number.POSITIVE_INFINITY,
): Activity {
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 0 };
	const items: ActivityItem[] = [];
	let completed = 0;
	for (const call of calls) {
		const { item } = call;
		if (item.origin === "reported") counts.reported++;
		else {
			counts[item.status]++;
			if (item.status === "succeeded" && item.risk !== "read") completed++;
		}
		if (isRelevant(call)) items.push(item);
	}
	const kept = mostTelling(items, most);
	return { runId, ...(asOf === undefined ? {} : { asOf }), completed, counts, items: kept, truncated: kept.length < items.length };
}

/** Derives a run's activity from all of its receipts, in order. Pure. */
export function deriveActivity(runId: RunId, receipts: Iterable<Receipt>, most?: number): Activity {
	const calls = new Map<string, CallActivity>();
	let asOf: Timestamp | undefined;
	for (const receipt of receipts) {
		asOf = receipt.at;
		if (receipt.toolCallId === undefined) continue;
		const call = callAfter(calls.get(receipt.toolCallId), receipt);
		if (call !== undefined) calls.set(receipt.toolCallId, call);
	}
	return activityOf(runId, asOf, calls.values(), most);
}
