import {
	type Approval,
	type InterruptedCode,
	limits,
	omitUndefined,
	type Progress,
	type ReceiptDraft,
	type RunEdits,
	type RunId,
} from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { AskedWords, CheckedAnswer, CollectedSummary, ProviderOutcome, ProviderUpdate, RunEvent } from "../../ports/runs/run-event.ts";
import { type ApprovalAnswer, answered, confirmed, corrected, type Lapse, lapsed, requested, withdrawAll } from "./approval-events.ts";
import { type CallTrail, closingDrafts, extendTrail, receiptEvents } from "./call-trail.ts";
import { type Answerer, type Conclusion, conclude } from "./conclude.ts";
import { asReported, type Reporter, reportedDrafts } from "./reported-receipts.ts";
import { isOver, type RunState } from "./run-state.ts";
import { unverifiedClaims } from "./unverified-claims.ts";

/** Every command that a run accepts. */
export type RunCommand =
	| { readonly type: "accept" }
	| { readonly type: "move_in_queue"; readonly position: number; readonly length: number }
	| { readonly type: "start"; readonly budgetMs: number }
	| { readonly type: "show_progress"; readonly progress: Progress }
	/** `reporter`: the update comes from an agent whose calls the bridge does not make, so its tool calls get receipts of what it reports. */
	| { readonly type: "say"; readonly update: ProviderUpdate; readonly reporter?: Reporter }
	/** `asked`: what an agent asks for, in the words that receipts use. `correct` and `confirm` have the field too. */
	| { readonly type: "ask"; readonly record: Approval; readonly asked?: AskedWords }
	| ({ readonly type: "answer" } & ApprovalAnswer)
	| { readonly type: "expire"; readonly approvalId: string }
	/** The runtime has withdrawn its request. */
	| { readonly type: "withdraw"; readonly approvalId: string }
	/** The runtime applied a different answer, which replaces the recorded one. */
	| { readonly type: "correct"; readonly record: Approval; readonly asked?: AskedWords }
	/** The runtime applied the recorded denial. */
	| { readonly type: "confirm"; readonly record: Approval; readonly asked?: AskedWords }
	/** Receipts of one run, in order, to be written in one commit. `later`: nothing waits for the commit. */
	| { readonly type: "record"; readonly runId: RunId; readonly drafts: readonly ReceiptDraft[]; readonly later?: boolean }
	/** The provider has checked its own answer. */
	| { readonly type: "answer_checked"; readonly checked: CheckedAnswer }
	| { readonly type: "cancel" }
	| { readonly type: "shorten_deadline" }
	/** Gives back time in which the run could not work, because the machine was asleep. */
	| { readonly type: "give_back"; readonly milliseconds: number }
	| { readonly type: "end_provider"; readonly outcome: ProviderOutcome }
	| { readonly type: "accept_artifacts"; readonly artifacts: CollectedSummary }
	| ({ readonly type: "conclude" } & Conclusion)
	/** A later bridge takes over the run, or a parked run continues. If the run continues, its agent makes its open requests again. */
	| { readonly type: "take_up" }
	/** The bridge that started the run ended before anything reached the runtime: the time limit starts again. */
	| { readonly type: "start_again"; readonly budgetMs: number }
	/** From this command on, the runtime may act. */
	| { readonly type: "hand_over" }
	/** `answerer`: absent if the run has no answer. `interrupt` has the field too. */
	| {
			readonly type: "fail";
			readonly code?: "DISK_FULL" | "PROVIDER_NOT_FOUND";
			readonly message: string;
			readonly edits?: RunEdits;
			readonly answerer?: Answerer;
	  }
	| {
			readonly type: "interrupt";
			readonly code: InterruptedCode;
			readonly message: string;
			readonly workedIn?: string;
			readonly edits?: RunEdits;
			readonly answerer?: Answerer;
	  };

/**
 * The events that a command causes; empty if it has no effect. Pure. A run that has ended never changes, so every command to it returns no
 * events (docs/architecture.md#the-one-idea).
 */
export function decide(state: RunState, command: RunCommand, now: number): readonly RunEvent[] {
	return isOver(state) ? [] : withClosedCalls(state.trail, effects(state, command, now), now);
}

/** Adds the final receipts of calls that are open when a run ends, in the same commit. */
function withClosedCalls(before: CallTrail | undefined, events: readonly RunEvent[], now: number): readonly RunEvent[] {
	const end = events.findIndex(({ type }) => type === "ended");
	const ended = events[end];
	if (ended?.type !== "ended") return events;
	const trail = events.reduce((trail, event) => (event.type === "receipt" ? extendTrail(trail, event.receipt) : trail), before);
	if (trail === undefined || trail.open.size === 0) return events;
	return events.toSpliced(end, 0, ...receiptEvents(trail.runId, trail, closingDrafts(trail, ended.code === "STORE_RESTORED"), now));
}

function effects(state: RunState, command: RunCommand, now: number): readonly RunEvent[] {
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
			return isExecuting(state) ? say(state, command, now) : [];
		case "ask":
			return mayAsk(state, command.record) ? requested(state, withReason(state, command.record), now, command.asked) : [];
		case "answer":
			return answered(state, command, now);
		case "expire":
			return lapsed(state, command.approvalId, "expired", now);
		case "withdraw":
			return lapsed(state, command.approvalId, "withdrawn", now);
		case "correct":
			return corrected(state, command.record, now, command.asked);
		case "confirm":
			return confirmed(state, command.record, now, command.asked);
		case "record":
			return receiptEvents(command.runId, state.trail, command.drafts, now);
		case "answer_checked":
			return isExecuting(state) && state.checked === undefined ? [{ type: "answered", ...command.checked }] : [];
		case "cancel":
			return cancel(state, now);
		case "shorten_deadline":
			return hastenDeadline(state, now);
		case "give_back":
			return isExecuting(state) ? movedDeadline(state, command.milliseconds) : [];
		case "end_provider":
			return isExecuting(state) ? [...withdrawAll(state, "run_ended", now), { type: "provider_ended", outcome: command.outcome }] : [];
		case "accept_artifacts":
			return state.providerOutcome === undefined ? [] : [{ type: "collected", artifacts: command.artifacts }];
		case "conclude":
			return concluded(state, command);
		case "take_up":
			// The bridge makes typed calls itself, so a request about one is kept, although the program's process has ended. An agent's request
			// is withdrawn, because no agent is waiting for the answer, and an agent that continues asks again.
			return withdrawAll(state, "bridge_stopped", now, ({ toolId }) => toolId === undefined);
		case "start_again":
			return state.status === "running" ? [{ type: "deadline_moved", deadlineAt: timestamp(now + command.budgetMs) }] : [];
		case "hand_over":
			return handOver(state);
		case "fail":
			return [
				...withdrawAll(state, "run_ended", now),
				...judged(state, command),
				{
					...{ type: "ended", status: "failed", code: command.code ?? "INTERNAL", message: command.message },
					...(command.edits && { edits: command.edits }),
				},
			];
		case "interrupt": {
			const { type: _type, answerer: _answerer, ...how } = command;
			const ended = { type: "ended", status: "interrupted", ...how } as const;
			return [...withdrawAll(state, lapseOf[command.code], now), ...judged(state, command), ended];
		}
	}
}

/** Why the open requests end when a run is interrupted. */
const lapseOf: Readonly<Record<InterruptedCode, Lapse>> = {
	BRIDGE_RESTARTED: "bridge_stopped",
	BRIDGE_STOPPED: "bridge_stopped",
	POISONED: "bridge_stopped",
	STORE_RESTORED: "backup_restored",
	DEADLINE_EXCEEDED: "run_ended",
	GATEWAY_LOST: "run_ended",
};

/** The claims in what an agent had written when its run was cut off. Files that it names are not looked for. */
function judged(state: RunState, { answerer, edits }: Pick<Extract<RunCommand, { type: "interrupt" }>, "answerer" | "edits">) {
	return answerer === undefined ? [] : unverifiedClaims(state, { ...answerer, ...omitUndefined({ edits }) });
}

/** Ends the run, and records which claims in its answer are not supported by any evidence. */
function concluded(state: RunState, conclusion: Conclusion): readonly RunEvent[] {
	const ended = conclude(state, conclusion);
	const { edits, filesFound } = conclusion;
	const ends = ended.map((end) => ({ ...end, ...(edits && { edits }), ...(filesFound && { filesFound }) }));
	return ends.length === 0 ? [] : [...unverifiedClaims(state, conclusion), ...ends];
}

function say({ trail, callFacts }: RunState, { update, reporter }: Extract<RunCommand, { type: "say" }>, now: number): readonly RunEvent[] {
	if (reporter === undefined || update.kind !== "tool_call") return [{ type: "said", update }];
	const input = update.input ?? callFacts.get(update.toolCallId)?.input;
	const drafts = reportedDrafts(trail, { ...update, ...(input && { input }) }, reporter);
	const receipts = receiptEvents(reporter.runId, trail, drafts, now);
	return [{ type: "said", update: asReported(update, reporter, input) }, ...receipts];
}

/** Records the hand-over. A run that is being stopped keeps the stage `stopping`. */
function handOver(state: RunState): readonly RunEvent[] {
	if (state.handedOver || !isExecuting(state)) return [];
	const stage = state.cancelRequestedAt === undefined ? "working" : "stopping";
	return [{ type: "progress", progress: { stage }, handedOver: true }];
}

/** True if the run has started and the provider's turn has not ended. */
function isExecuting(state: RunState): boolean {
	return state.status === "running" && state.providerOutcome === undefined;
}

/**
 * The log records a run's first place in the queue. After that, it records a new place only once the run has reached or passed one of
 * these. Otherwise, a queue of n runs would write n events whenever one of them starts.
 */
const namedPlaces = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

function moveInQueue(state: RunState, position: number, length: number): readonly RunEvent[] {
	const last = state.progress?.queuePosition;
	if (state.status !== "queued" || position === last) return [];
	const isBetween = last !== undefined && position < last && position > (namedPlaces.findLast((place) => place < last) ?? 0);
	return isBetween ? [] : [{ type: "queue_moved", position, length }];
}

function mayAsk(state: RunState, { state: asked }: Approval): boolean {
	// While a run is being stopped, pending requests are not accepted.
	return isExecuting(state) && (asked !== "pending" || state.cancelRequestedAt === undefined);
}

/** Adds why a request is withdrawn that was made while the run was being stopped: by the user, or at its end. */
function withReason({ cancelRequestedAt }: RunState, record: Approval): Approval {
	if (record.state !== "withdrawn" || record.reason !== undefined) return record;
	return { ...record, reason: cancelRequestedAt === undefined ? "run_ended" : "run_stopped" };
}

function cancel(state: RunState, now: number): readonly RunEvent[] {
	// Once the agent has ended, only the run's files are still handled, and nothing is stopping.
	if (state.cancelRequestedAt !== undefined || state.providerOutcome !== undefined) return [];
	if (state.status === "queued") return [{ type: "cancel_requested" }, { type: "ended", status: "cancelled" }];
	return [...withdrawAll(state, "run_stopped", now), { type: "cancel_requested" }];
}

function movedDeadline({ deadlineAt }: RunState, milliseconds: number): readonly RunEvent[] {
	return deadlineAt === undefined ? [] : [{ type: "deadline_moved", deadlineAt: timestamp(Date.parse(deadlineAt) + milliseconds) }];
}

function hastenDeadline(state: RunState, now: number): readonly RunEvent[] {
	const bound = now + limits.cancelDeadlineMs;
	if (!isExecuting(state) || state.deadlineAt === undefined || Date.parse(state.deadlineAt) <= bound) return [];
	return [{ type: "deadline_moved", deadlineAt: timestamp(bound) }];
}
