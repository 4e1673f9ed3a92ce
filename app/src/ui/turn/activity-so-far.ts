import type { Activity, ActivityItem, ActivityStatus, Receipt, ReceiptType } from "@xworkmate/contracts";
import { isLateDecision } from "@xworkmate/contracts/late-decision";
import { madePlan } from "@xworkmate/contracts/made-plan";
import { isMoreSerious } from "@xworkmate/contracts/serious-kind";
import { contradictionBy, deniedCommandBy, swappedBy, unpermittedBy } from "@xworkmate/contracts/unpermitted";
import type { TurnView } from "./turn-view.ts";

/** How a call has ended after a receipt of this type. After any other type, it has not ended. */
export const endStatuses: Readonly<Partial<Record<ReceiptType, ActivityStatus>>> = {
	"tool.call.denied": "denied",
	"tool.call.succeeded": "succeeded",
	"tool.call.failed": "failed",
	"tool.call.unknown": "unknown",
};

interface Call extends ActivityItem {
	readonly started: boolean;
	/** True for a read that decisions are based on. It is listed although it changed nothing. */
	readonly isKeyRead: boolean;
}

/**
 * What a run has done so far, from the receipts in its updates. Once the run has ended, its snapshot contains the activity. Undefined if
 * the receipts show no request for a call.
 */
export function activitySoFar(receipts: readonly Receipt[]): Activity | undefined {
	const calls = new Map<string, Call>();
	for (const receipt of receipts) {
		const { toolCallId } = receipt;
		if (toolCallId === undefined || !receipt.type.startsWith("tool.call.")) continue;
		const call = nextCall(calls.get(toolCallId), receipt);
		if (call !== undefined) calls.set(toolCallId, call);
	}
	const last = receipts.at(-1);
	if (calls.size === 0 || last?.runId === undefined) return undefined;
	const all = [...calls.values()];
	const counted = (is: (call: Call) => boolean) => all.filter(is).length;
	return {
		runId: last.runId,
		asOf: last.at,
		completed: counted(isCompleted),
		counts: {
			succeeded: counted(({ status }) => status === "succeeded"),
			failed: counted(({ status }) => status === "failed"),
			denied: counted(({ status }) => status === "denied"),
			pending: counted(({ status }) => status === "pending"),
			unknown: counted(({ status }) => status === "unknown"),
			reported: counted(({ origin }) => origin === "reported"),
		},
		items: all.filter(isListed).map(({ started: _, isKeyRead: __, ...item }) => item),
		truncated: false,
	};
}

/** What is known about the calls of an active run besides how they ended. Calls are named by their `toolCallId`. */
export interface LiveRun {
	/** Calls with an open request. */
	readonly asked: ReadonlySet<string>;
	/** Calls that XWorkmate has started, or that their agent reports as started. */
	readonly started: ReadonlySet<string>;
	/** Present if contact with the run is lost: the time at which its state was last known. */
	readonly asOf?: string;
}

export function liveRun({ items, asked, receipts }: Pick<TurnView, "items" | "asked" | "receipts">, asOf?: string): LiveRun {
	const requests = asked === 0 ? [] : items.flatMap((item) => (item.kind === "approval" ? [item.approval] : []));
	const open = requests.flatMap(({ state, toolCallId }) => (state === "pending" && toolCallId !== undefined ? [toolCallId] : []));
	const begun = receipts.flatMap(({ type, toolCallId }) => (type === "tool.call.started" && toolCallId !== undefined ? [toolCallId] : []));
	return { asked: new Set(open), started: new Set(begun), ...(asOf !== undefined && { asOf }) };
}

/** A call after one more of its receipts; undefined if its request was not seen. */
function nextCall(before: Call | undefined, receipt: Receipt): Call | undefined {
	const { toolCallId, toolId, risk, origin, type, decision, outcome, words, at, receiptId } = receipt;
	const known: Omit<Call, "status" | "when" | "receiptRef"> | undefined =
		before ??
		(toolCallId && toolId && risk ? { toolCallId, toolId, risk, origin, words: "", started: false, isKeyRead: false } : undefined);
	if (known === undefined) return undefined;
	if (before !== undefined && isLateDecision(before, receipt)) return { ...before, ...raised(before, receipt), ...asked(receipt) };
	// If the call continues, or ends differently, the code and the message of its earlier end no longer apply.
	const { code: _earlier, message: _told, ...same } = known;
	const { code = decision?.reason, message } = outcome ?? {};
	const unpermitted = unpermittedBy(receipt);
	const swapped = swappedBy(receipt);
	const deniedCommand = deniedCommandBy(receipt);
	const contradiction = contradictionBy(receipt);
	const planId = madePlan(receipt);
	return {
		...same,
		...raised(known, receipt),
		...(unpermitted && { unpermitted }),
		...(swapped && { swapped }),
		...(deniedCommand !== undefined && { deniedCommand }),
		...(contradiction && { contradiction }),
		status: endStatuses[type] ?? "pending",
		when: at,
		receiptRef: receiptId,
		words: words ?? known.words,
		started: known.started || type === "tool.call.started",
		isKeyRead: known.isKeyRead || receipt.detail?.keyRead === true,
		...(type === "tool.call.started" && before?.approval === undefined && { approval: { required: false } }),
		...asked(receipt),
		...(planId !== undefined && { planId }),
		...(code !== undefined && { code }),
		...(message !== undefined && { message }),
	};
}

/** If an agent gave its call several kinds, the most serious one counts. */
function raised({ toolId: earlier }: Pick<Call, "toolId">, { toolId, risk, origin }: Receipt): Partial<Pick<Call, "toolId" | "risk">> {
	const isRaised = origin === "reported" && toolId !== undefined && risk !== undefined && isMoreSerious(toolId, earlier);
	return isRaised ? { toolId, risk } : {};
}

/** What was requested, what was decided, and by whom. */
function asked({ decision, words }: Receipt): Partial<Call> {
	if (decision === undefined) return {};
	const { approvalId, by } = decision;
	return { ...(words !== undefined && { words }), approval: { required: approvalId !== undefined, decision: decision.decision, by } };
}

function isCompleted({ origin, risk, status }: Call): boolean {
	return origin === "executed" && risk !== "read" && status === "succeeded";
}

/**
 * Calls that are not reads are listed. So is a read that was decided on, that ended without success or has not started, or that decisions
 * are based on. One in progress is not, because it would disappear as soon as it succeeds.
 */
function isListed({ risk, status, started, isKeyRead, origin, approval, unpermitted }: Call): boolean {
	const isDecided = origin === "reported" && (approval?.decision !== undefined || unpermitted !== undefined);
	if (risk !== "read" || isDecided) return true;
	return status === "succeeded" ? isKeyRead : status !== "pending" || !started;
}
