import {
	type Approval,
	type ApprovalDecision,
	type InterruptedCode,
	limits,
	omitUndefined,
	type Progress,
	type ReceiptDraft,
	type RunId,
	type Timestamp,
} from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { CollectedSummary, ProviderOutcome, ProviderUpdate, RunEvent } from "../../ports/run-event.ts";
import { receiptEvents } from "./call-trail.ts";
import { type Conclusion, conclude } from "./conclude.ts";
import { isOver, type RunState } from "./run-state.ts";

/** All commands to a run. */
export type RunCommand =
	| { readonly type: "accept" }
	| { readonly type: "move_in_queue"; readonly position: number; readonly length: number }
	| { readonly type: "start"; readonly budgetMs: number }
	| { readonly type: "show_progress"; readonly progress: Progress }
	| { readonly type: "say"; readonly update: ProviderUpdate }
	| { readonly type: "ask"; readonly record: Approval }
	| {
			readonly type: "answer";
			readonly approvalId: string;
			readonly decision: ApprovalDecision;
			readonly decidedBy: string;
			readonly windowSeconds: number;
	  }
	| { readonly type: "expire"; readonly approvalId: string }
	/** The runtime has withdrawn its request. */
	| { readonly type: "withdraw"; readonly approvalId: string }
	/** The runtime applied a different answer, which replaces the recorded one. */
	| { readonly type: "correct"; readonly record: Approval }
	/** Receipts of one run, in order; they are events of one commit. */
	| { readonly type: "record"; readonly runId: RunId; readonly drafts: readonly ReceiptDraft[] }
	| { readonly type: "cancel" }
	| { readonly type: "shorten_deadline" }
	| { readonly type: "end_provider"; readonly outcome: ProviderOutcome }
	| { readonly type: "accept_artifacts"; readonly artifacts: CollectedSummary }
	| ({ readonly type: "conclude" } & Conclusion)
	/** A later bridge continues the run: its open requests are made again. */
	| { readonly type: "take_up" }
	/** The bridge that started it ended before anything reached the runtime: its time limit starts again. */
	| { readonly type: "start_again"; readonly budgetMs: number }
	/** From here on the runtime may act. */
	| { readonly type: "hand_over" }
	| { readonly type: "fail"; readonly code?: "DISK_FULL"; readonly message: string }
	| { readonly type: "interrupt"; readonly code: InterruptedCode; readonly message: string; readonly workedIn?: string };

/**
 * The events that a command causes: pure, and empty if it has no effect. A run that has ended never changes, so every command on it is
 * empty (docs/architecture.md#the-one-idea).
 */
export function decide(state: RunState, command: RunCommand, now: number): readonly RunEvent[] {
	if (isOver(state)) return [];
	switch (command.type) {
		case "accept":
			return state.lastSeq === 0 ? [{ type: "accepted" }] : [];
		case "move_in_queue":
			return moveInQueue(state, command.position, command.length);
		case "start":
			return state.status === "queued" ? [{ type: "started", deadlineAt: timestamp(now + command.budgetMs) }] : [];
		case "show_progress":
			return [{ type: "progress", progress: command.progress }];
		case "say":
			return isExecuting(state) ? [{ type: "said", update: command.update }] : [];
		case "ask":
			return ask(state, command.record);
		case "answer":
			return answer(state, command, now);
		case "expire":
			return resolve(state, command.approvalId, (record) => ({ ...record, state: "expired", decidedAt: timestamp(now) }), now);
		case "withdraw":
			return resolve(state, command.approvalId, (record) => ({ ...record, state: "withdrawn", decidedAt: timestamp(now) }), now);
		case "correct":
			return [{ type: "approval", record: command.record }];
		case "record":
			return receiptEvents(command.runId, state.trail, command.drafts, now);
		case "cancel":
			return cancel(state, now);
		case "shorten_deadline":
			return hastenDeadline(state, now);
		case "end_provider":
			return isExecuting(state) ? [...withdrawAll(state, now), { type: "provider_ended", outcome: command.outcome }] : [];
		case "accept_artifacts":
			return state.providerOutcome === undefined ? [] : [{ type: "collected", artifacts: command.artifacts }];
		case "conclude":
			return conclude(state, command);
		case "take_up":
			return withdrawAll(state, now, (record) => record.toolId === undefined);
		case "start_again":
			return state.status === "running" ? [{ type: "deadline_moved", deadlineAt: timestamp(now + command.budgetMs) }] : [];
		case "hand_over":
			return handOver(state);
		case "fail":
			return [...withdrawAll(state, now), { type: "ended", status: "failed", code: command.code ?? "INTERNAL", message: command.message }];
		case "interrupt": {
			const { type: _type, ...how } = command;
			return [...withdrawAll(state, now), { type: "ended", status: "interrupted", ...how }];
		}
	}
}

/** A run that is being stopped keeps that progress. */
function handOver(state: RunState): readonly RunEvent[] {
	if (state.handedOver || !isExecuting(state)) return [];
	const stage = state.cancelRequestedAt === undefined ? "working" : "stopping";
	return [{ type: "progress", progress: { stage }, handedOver: true }];
}

/** Started, and the provider's turn has not ended. */
function isExecuting(state: RunState): boolean {
	return state.status === "running" && state.providerOutcome === undefined;
}

/** The log names the first place of a run and these: a queue of n runs would otherwise write n events whenever one of them starts. */
const namedPlaces = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

function moveInQueue(state: RunState, position: number, length: number): readonly RunEvent[] {
	const last = state.progress?.queuePosition;
	if (state.status !== "queued" || position === last) return [];
	const isBetween = last !== undefined && position < last && position > (namedPlaces.findLast((place) => place < last) ?? 0);
	return isBetween ? [] : [{ type: "queue_moved", position, length }];
}

function ask(state: RunState, record: Approval): readonly RunEvent[] {
	if (!isExecuting(state)) return [];
	// The run is being stopped, so no more requests are made.
	if (record.state === "pending" && state.cancelRequestedAt !== undefined) return [];
	return [{ type: "approval", record }];
}

function answer(state: RunState, command: Extract<RunCommand, { type: "answer" }>, now: number): readonly RunEvent[] {
	const decided = (record: Approval): Approval => ({
		...record,
		state: "decided",
		decision: command.decision,
		...(command.decision === "allow_window" ? { windowSeconds: command.windowSeconds } : {}),
		decidedBy: command.decidedBy,
		decidedAt: timestamp(now),
	});
	return resolve(state, command.approvalId, decided, now);
}

/** The first outcome of a pending approval; extends the deadline by the time that the run waited for the user. */
function resolve(state: RunState, approvalId: string, outcome: (record: Approval) => Approval, now: number): readonly RunEvent[] {
	const pending = state.pendingApprovals.find((record) => record.approvalId === approvalId);
	if (pending === undefined) return [];
	const last = state.pendingApprovals.length === 1;
	const deadlineAt = last ? extendedDeadline(state, now) : undefined;
	const record = outcome(pending);
	return [{ type: "approval", record, ...(deadlineAt === undefined ? {} : { deadlineAt }) }, ...decidedReceipts(state, [record], now)];
}

/** What was decided of typed calls, for their trails. */
function decidedReceipts(state: RunState, records: readonly Approval[], now: number): readonly RunEvent[] {
	const drafts = records.flatMap((record): ReceiptDraft[] => {
		const { approvalId, toolCallId, toolId, risk, inputHash, toolHash, words, decidedBy = "bridge", decision = "deny" } = record;
		if (toolCallId === undefined || toolId === undefined || state.trail?.open.has(toolCallId) !== true) return [];
		const facts = { origin: "executed" as const, toolCallId, toolId, inputHash, ...omitUndefined({ risk, toolHash, words }) };
		if (record.state === "decided" && decision !== "deny") {
			return [{ type: "tool.call.approved", ...facts, decision: { approvalId, by: decidedBy, decision } }];
		}
		const reason = record.state === "decided" ? "person" : record.state === "expired" ? "expired" : "withdrawn";
		return [{ type: "tool.call.denied", ...facts, decision: { approvalId, by: decidedBy, decision: "deny", reason } }];
	});
	const runId = records[0]?.runId;
	return runId === undefined ? [] : receiptEvents(runId, state.trail, drafts, now);
}

function extendedDeadline(state: RunState, now: number): Timestamp | undefined {
	if (state.deadlineAt === undefined || state.waitingSince === undefined) return undefined;
	return timestamp(Date.parse(state.deadlineAt) + Math.max(0, now - Date.parse(state.waitingSince)));
}

function withdrawAll(state: RunState, now: number, which: (record: Approval) => boolean = () => true): readonly RunEvent[] {
	const withdrawn = state.pendingApprovals.filter(which);
	const deadlineAt = withdrawn.length === state.pendingApprovals.length ? extendedDeadline(state, now) : undefined;
	const records = withdrawn.map((record) => ({ ...record, state: "withdrawn" as const, decidedAt: timestamp(now) }));
	const events = records.map((record, index) => ({
		type: "approval" as const,
		record,
		...(deadlineAt !== undefined && index === records.length - 1 ? { deadlineAt } : {}),
	}));
	return [...events, ...decidedReceipts(state, records, now)];
}

function cancel(state: RunState, now: number): readonly RunEvent[] {
	if (state.cancelRequestedAt !== undefined) return [];
	if (state.status === "queued") return [{ type: "cancel_requested" }, { type: "ended", status: "cancelled" }];
	return [...withdrawAll(state, now), { type: "cancel_requested" }];
}

function hastenDeadline(state: RunState, now: number): readonly RunEvent[] {
	const bound = now + limits.cancelDeadlineMs;
	if (!isExecuting(state) || state.deadlineAt === undefined || Date.parse(state.deadlineAt) <= bound) return [];
	return [{ type: "deadline_moved", deadlineAt: timestamp(bound) }];
}
