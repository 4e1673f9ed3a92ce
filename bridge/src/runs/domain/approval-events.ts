import type { Approval, ApprovalDecision, DenyReason, ReceiptDecision, ReceiptDraft, Timestamp } from "@xworkmate/contracts";
import { omitUndefined } from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { RunEvent } from "../../ports/run-event.ts";
import { type OpenCall, receiptEvents } from "./call-trail.ts";
import type { RunState } from "./run-state.ts";

// Requests, their outcomes, and what each outcome leaves in the trail of its call: all of it one commit. Pure.

/** A user's answer, or one that was given at the runtime. */
export interface ApprovalAnswer {
	readonly approvalId: string;
	readonly decision: ApprovalDecision;
	readonly decidedBy: string;
	readonly windowSeconds: number;
}

/** A request, which may be decided already. */
export function requested(state: RunState, record: Approval, now: number): readonly RunEvent[] {
	return [{ type: "approval", record }, ...decisionReceipts(state, [record], now)];
}

export function answered(state: RunState, answer: ApprovalAnswer, now: number): readonly RunEvent[] {
	const { approvalId, decision, decidedBy, windowSeconds } = answer;
	return resolve(state, approvalId, now, (record) => ({
		...record,
		state: "decided",
		decision,
		...(decision === "allow_window" ? { windowSeconds } : {}),
		decidedBy,
		decidedAt: timestamp(now),
	}));
}

/** Why a request ended without an answer. */
export type Lapse = Extract<DenyReason, "expired" | "run_stopped" | "run_ended" | "bridge_stopped" | "withdrawn">;

export function lapsed(state: RunState, approvalId: string, why: Lapse, now: number): readonly RunEvent[] {
	return resolve(state, approvalId, now, (record) => withoutAnswer(record, why, now));
}

/** Withdraws all requests, or those that `isWithdrawn` names. */
export function withdrawAll(
	state: RunState,
	why: Lapse,
	now: number,
	isWithdrawn: (record: Approval) => boolean = () => true,
): readonly RunEvent[] {
	const records = state.pendingApprovals.filter(isWithdrawn).map((record) => withoutAnswer(record, why, now));
	return resolved(state, records, now);
}

/** The runtime applied another answer, which replaces the recorded one. */
export function corrected(state: RunState, record: Approval, now: number): readonly RunEvent[] {
	return [{ type: "approval", record }, ...decisionReceipts(state, [record], now, true)];
}

/** The runtime confirms the recorded denial. */
export function confirmed(state: RunState, record: Approval, now: number): readonly RunEvent[] {
	return decisionReceipts(state, [record], now, true);
}

function withoutAnswer(record: Approval, reason: Lapse, now: number): Approval {
	return { ...record, state: reason === "expired" ? reason : "withdrawn", reason, decidedAt: timestamp(now) };
}

/** The first outcome of a pending request. */
function resolve(state: RunState, approvalId: string, now: number, outcome: (record: Approval) => Approval): readonly RunEvent[] {
	return resolved(state, state.pendingApprovals.filter((record) => record.approvalId === approvalId).map(outcome), now);
}

/** Extends the deadline by the time that the run waited for the user, once nothing is left to wait for. */
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

/**
 * What outcomes leave in the trails of their calls. `isConfirmed`: a gateway says so. Until then a denial is only an intention there,
 * because the answer that reaches the gateway first counts; a receipt could not be taken back.
 */
function decisionReceipts(state: RunState, records: readonly Approval[], now: number, isConfirmed = false): readonly RunEvent[] {
	const seen = new Set<string>();
	const drafts = records.flatMap((record) => {
		const { toolCallId, runId } = record;
		const call = toolCallId === undefined ? undefined : state.trail?.open.get(toolCallId);
		if (call === undefined || toolCallId === undefined || seen.has(toolCallId)) return [];
		const draft = decisionDraft(call, record, isConfirmed);
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

/** Undefined if the call's trail is past a decision, or if nothing is decided. */
function decisionDraft({ requested, last }: OpenCall, record: Approval, isConfirmed: boolean): ReceiptDraft | undefined {
	const decision = receiptDecision(record);
	if (decision === undefined) return undefined;
	const { origin, toolCallId, toolId, risk } = requested;
	// What an agent asks decides nothing about a call that the bridge makes, whatever id the agent gives its own.
	if ((origin === "executed") !== (record.toolId !== undefined)) return undefined;
	const isDenied = decision.decision === "deny";
	const isUndecided = last.type === "tool.call.requested";
	// What was allowed can still be denied until it starts.
	if (!isUndecided && !(isDenied && last.type === "tool.call.approved")) return undefined;
	const isOfGateway = record.asker?.target === "gateway" && record.decidedBy !== "gateway";
	if (isDenied && isOfGateway && !isConfirmed) return undefined;
	// A typed call's receipt names what was decided about, which the gate compares with what would run.
	const { inputHash, toolHash } = record.toolId === undefined ? requested : record;
	const type = isDenied ? "tool.call.denied" : "tool.call.approved";
	return { type, origin, ...omitUndefined({ toolCallId, toolId, risk, inputHash, toolHash }), decision };
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
