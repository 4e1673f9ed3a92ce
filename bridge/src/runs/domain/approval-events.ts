import {
	type Approval,
	type ApprovalDecision,
	type DenyReason,
	isAutomatic,
	omitUndefined,
	type Receipt,
	type ReceiptDecision,
	type ReceiptDraft,
	type Timestamp,
} from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { AskedWords, RunEvent } from "../../ports/runs/run-event.ts";
import { afterRequest } from "./call-requests.ts";
import { type OpenCall, type PlacedCall, receiptEvents } from "./call-trail.ts";
import { reportedCall } from "./reported-receipts.ts";
import type { RunState } from "./run-state.ts";

// What requests and their outcomes add to a run's log. What an outcome adds to the trail of its call is in the same commit. Pure.

/** A user's answer, or one that was given at the runtime. */
export interface ApprovalAnswer {
	readonly approvalId: string;
	readonly decision: ApprovalDecision;
	readonly decidedBy: string;
	readonly windowSeconds: number;
	/** Why it is a denial, unless someone denied it. */
	readonly reason?: DenyReason;
	/** The grant that allowed the request, if the user was not asked in the end. */
	readonly grant?: NonNullable<Approval["grant"]>;
}

/** Records a request, which may already be decided. */
export function requested(state: RunState, record: Approval, now: number, asked?: AskedWords): readonly RunEvent[] {
	return [{ type: "approval", record, ...(asked && { asked }) }, ...decisionReceipts(state, [record], now, { asked })];
}

export function answered(state: RunState, answer: ApprovalAnswer, now: number): readonly RunEvent[] {
	const { approvalId, decision, decidedBy, windowSeconds, reason, grant } = answer;
	return resolve(state, approvalId, now, (record) => ({
		...record,
		state: "decided",
		decision,
		...(decision === "allow_window" ? { windowSeconds } : {}),
		decidedBy,
		decidedAt: timestamp(now),
		...(reason && { reason }),
		...(grant && { grant }),
	}));
}

/** Why a request ended without an answer. */
export type Lapse = Extract<DenyReason, "expired" | "run_stopped" | "run_ended" | "bridge_stopped" | "backup_restored" | "withdrawn">;

export function lapsed(state: RunState, approvalId: string, why: Lapse, now: number): readonly RunEvent[] {
	return resolve(state, approvalId, now, (record) => withoutAnswer(record, why, now));
}

/** Withdraws all requests, or those for which `isWithdrawn` returns true. */
export function withdrawAll(
	state: RunState,
	why: Lapse,
	now: number,
	isWithdrawn: (record: Approval) => boolean = () => true,
): readonly RunEvent[] {
	const records = state.pendingApprovals.filter(isWithdrawn).map((record) => withoutAnswer(record, why, now));
	return resolved(state, records, now);
}

/** Replaces the recorded answer with another one, which the runtime applied. */
export function corrected(state: RunState, record: Approval, now: number, asked?: AskedWords): readonly RunEvent[] {
	return [{ type: "approval", record }, ...decisionReceipts(state, [record], now, { asked, isConfirmed: true })];
}

/** Records that the runtime confirms the denial. */
export function confirmed(state: RunState, record: Approval, now: number, asked?: AskedWords): readonly RunEvent[] {
	return decisionReceipts(state, [record], now, { asked, isConfirmed: true });
}

function withoutAnswer(record: Approval, reason: Lapse, now: number): Approval {
	return { ...record, state: reason === "expired" ? reason : "withdrawn", reason, decidedAt: timestamp(now) };
}

/** Records the first outcome of a pending request. */
function resolve(state: RunState, approvalId: string, now: number, outcome: (record: Approval) => Approval): readonly RunEvent[] {
	return resolved(state, state.pendingApprovals.filter((record) => record.approvalId === approvalId).map(outcome), now);
}

/** Records outcomes. Once no request is pending, extends the deadline by the time that the run waited for the user. */
function resolved(state: RunState, records: readonly Approval[], now: number): readonly RunEvent[] {
	const deadlineAt = records.length === state.pendingApprovals.length ? extendedDeadline(state, now) : undefined;
	const events = records.map((record, index): RunEvent => {
		const isLast = index === records.length - 1;
		return { type: "approval", record, ...(isLast && deadlineAt !== undefined ? { deadlineAt } : {}) };
	});
	return [...events, ...decisionReceipts(state, records, now)];
}

function extendedDeadline(state: RunState, now: number): Timestamp | undefined {
	if (state.deadlineAt === undefined || state.waitingSince === undefined) return undefined;
	return timestamp(Date.parse(state.deadlineAt) + Math.max(0, now - Date.parse(state.waitingSince)));
}

/** `asked`: what was asked, if the run's state does not have it. `isConfirmed`: a gateway confirms the decision. */
interface About {
	readonly asked?: AskedWords | undefined;
	readonly isConfirmed?: boolean;
}

/**
 * What outcomes add to the trails of their calls. A denial for a gateway is added only once the gateway confirms it: the gateway counts the
 * answer that reaches it first, and a receipt could not be taken back.
 */
function decisionReceipts(state: RunState, records: readonly Approval[], now: number, about: About = {}): readonly RunEvent[] {
	const seen = new Set<string>();
	let { callRequests } = state;
	const drafts = records.flatMap((ended) => {
		const { toolCallId, runId, approvalId } = ended;
		if (toolCallId === undefined || seen.has(toolCallId)) return [];
		const { asked: words = state.asked.get(approvalId), isConfirmed = false } = about;
		const { requests, decides } = afterRequest(callRequests, ended, words);
		callRequests = requests;
		const decisive = isConfirmed ? { record: ended, asked: words } : decides;
		if (decisive === undefined) return [];
		const { record, asked } = decisive;
		const open = state.trail?.open.get(toolCallId);
		const call = state.trail?.calls.get(toolCallId);
		if (call === undefined) return [];
		const draft =
			open === undefined
				? lateDraft(call, record, isConfirmed, asked)
				: decisionDraft({ ...open, allowed: call.allowed }, record, isConfirmed, asked);
		if (draft === undefined) return [];
		seen.add(toolCallId);
		return [{ runId, draft }];
	});
	const runId = drafts[0]?.runId;
	if (runId === undefined) return [];
	return receiptEvents(
		runId,
		state.trail,
		drafts.map(({ draft }) => draft),
		now,
	);
}

/** The receipt of a decision; undefined if it adds none, for example because the call can no longer be decided. */
function decisionDraft(
	{ requested, last, hasStarted, allowed, shown }: OpenCall & Pick<PlacedCall, "allowed">,
	record: Approval,
	isConfirmed: boolean,
	asked: AskedWords | undefined,
): ReceiptDraft | undefined {
	const decision = receiptDecision(record);
	// The request may have been answered after the backup was made.
	if (decision === undefined || record.reason === "backup_restored") return undefined;
	const { origin, toolCallId } = requested;
	// An agent's request decides nothing about a call that the bridge makes, whatever id the agent gives to its own call.
	if ((origin === "executed") !== (record.toolId !== undefined)) return undefined;
	const isDenied = decision.decision === "deny";
	// A call that was allowed can still be denied until it starts.
	const mayDecide = !hasStarted && (isDenied || last.type === "tool.call.requested");
	const news = newWords(asked, shown);
	// An agent may ask about a call that it has begun, and again about one that was allowed.
	const isPermitted = !isDenied && origin === "reported" && addsTo(allowed, decision, news);
	// If an agent asks only after it has begun the call, a denial stops the call halfway.
	const isStopped = isDenied && origin === "reported" && hasStarted && record.state !== "withdrawn";
	if (!mayDecide && !isPermitted && !isStopped) return undefined;
	if (isDenied && isIntention(record, isConfirmed)) return undefined;
	// A typed call's receipt names what the decision was about, and the gate compares that with what would run.
	const { inputHash, toolHash } = record.toolId === undefined ? requested : record;
	const { toolId, risk } = origin === "reported" ? askedCall(last, record) : requested;
	const facts = { origin, ...omitUndefined({ toolCallId, toolId, risk, inputHash, toolHash }), ...news };
	if (isStopped) return { type: "tool.call.failed", ...facts, decision, outcome: { attempt: 1, durationMs: 0, code: "DENIED" } };
	return { type: isDenied ? "tool.call.denied" : "tool.call.approved", ...facts, decision };
}

/**
 * True if a permission for a call leaves a receipt although the call may have earlier ones. A permission that was given without asking
 * anyone leaves none then, because it would hide who was asked, unless it is for an input that no one was shown. Neither does a request
 * whose permission has one, because a gateway confirms an answer, and may do so again.
 */
function addsTo(earlier: PlacedCall["allowed"], { approvalId, by }: ReceiptDecision, news: Partial<AskedWords>): boolean {
	if (earlier.size === 0) return true;
	if (approvalId === undefined || earlier.has(approvalId)) return false;
	return !isAutomatic(by) || news.input !== undefined;
}

/**
 * Records the answer to a request about a call that is over. Either the call was denied before, and a permission takes the denial back; or
 * the agent had already reported the call as finished, and the answer changes nothing about it. A permission that has a receipt takes
 * nothing back: the denial came after it, and a gateway only confirms it now.
 */
function lateDraft(
	{ item, allowed }: Pick<PlacedCall, "item" | "allowed">,
	record: Approval,
	isConfirmed: boolean,
	asked: AskedWords | undefined,
): ReceiptDraft | undefined {
	const { toolCallId, origin, words } = item;
	const { toolId, risk } = askedCall(item, record);
	const decision = record.state === "decided" && record.toolId === undefined ? receiptDecision(record) : undefined;
	if (decision === undefined || origin !== "reported") return undefined;
	const isDenied = decision.decision === "deny";
	if (isDenied && isIntention(record, isConfirmed)) return undefined;
	if (!isDenied && allowed.has(record.approvalId)) return undefined;
	const type = isDenied ? "tool.call.denied" : "tool.call.approved";
	return { type, origin, ...omitUndefined({ toolCallId, toolId, risk }), ...newWords(asked, { words }), decision };
}

/** A request may give the call a more serious kind than the reports did; the decision is about the request's kind. */
function askedCall(
	before: Pick<Receipt, "toolCallId" | "toolId" | "risk">,
	{ toolKind, input, asker }: Approval,
): Pick<Receipt, "toolId" | "risk"> {
	const { toolCallId, toolId, risk } = before;
	return toolCallId === undefined || asker === undefined
		? { toolId, risk }
		: reportedCall(before, { toolCallId, toolKind, ...(input && { input }) }, asker.providerId);
}

function isIntention({ asker, decidedBy }: Approval, isConfirmed: boolean): boolean {
	return asker?.target === "gateway" && decidedBy !== "gateway" && !isConfirmed;
}

/** What was asked, unless the call's receipts have said so last. */
function newWords(asked: AskedWords | undefined, shown: OpenCall["shown"]): Partial<AskedWords> {
	if (asked === undefined) return {};
	const { words, input } = asked;
	const isInputKnown = input === undefined || shown.input?.text === input.text;
	return { ...(shown.words === words ? {} : { words }), ...(isInputKnown ? {} : { input }) };
}

function receiptDecision({ approvalId, state, decision, decidedBy = "person", reason }: Approval): ReceiptDecision | undefined {
	switch (state) {
		case "pending":
			return undefined;
		case "decided": {
			const by = decidedBy.slice(0, 300);
			if (decision === undefined) return undefined;
			return { approvalId, by, decision, ...(decision === "deny" ? { reason: reason ?? "person" } : {}) };
		}
		case "expired":
		case "withdrawn":
			return { approvalId, by: "bridge", decision: "deny", reason: reason ?? state };
	}
}
