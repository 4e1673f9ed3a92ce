import {
	ActionId,
	type Deliverable,
	type DeliveryAction,
	type DeliveryCode,
	type Gate,
	type Grounding,
	type LintFinding,
	type Missed,
	type Occurrence,
	type OccurrenceKind,
	omitUndefined,
	type Plan,
	type PlanRun,
	type RunId,
	type ThreadId,
	type Timestamp,
	TurnId,
} from "@xworkmate/contracts";
import type { Claim, OpenOccurrence, PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import { withoutWaits } from "./decide-waits.ts";
import { goesWithFiles } from "./goes-with-files.ts";
import { gravestFirst } from "./gravest-first.ts";
import { alsoHeld, fail, heldForItsText, hold, holdFor } from "./held-action.ts";
import { newAction, newOccurrence, occurrenceIdOf } from "./new-occurrence.ts";
import { deliveredStatus, isOver } from "./plan-state.ts";
import { upperCase } from "./upper-case.ts";
import { unfinished, workEnd } from "./work-end.ts";

/** How an occurrence's work ended. `findings`: each channel's objections to the deliverable, by actionId. */
export interface WorkResult {
	readonly run: Required<Pick<PlanRun, "status">> & Pick<PlanRun, "code" | "message">;
	/** The answer with everything around the message, up to `limits.outputBytes`. Only the message in it is ever sent. */
	readonly output: string;
	readonly gate?: Gate;
	readonly deliverable?: Deliverable;
	readonly grounding?: Grounding;
	/** Set if `grounding` does not hold of the messages that the run's files are sent with. */
	readonly isBackedByFiles?: true;
	readonly findings?: Readonly<Record<string, readonly LintFinding[]>>;
	/** The reason, as a sentence, why a completed run does not count as a success: the evidence against it in its record. */
	readonly doubt?: string;
}

/** The turn that an occurrence's work is submitted as: `<occurrence>-<n>`. */
function turnIdOf({ occurrenceId, runs }: Pick<Occurrence, "occurrenceId" | "runs">): TurnId {
	return TurnId.parse(`${occurrenceId}-${runs.length + 1}`);
}

/** The parts of a plan that determine whether an agent has to be asked. */
export interface WorkTerms {
	readonly work: readonly unknown[];
	readonly delivery: readonly { readonly content?: string | undefined }[];
	readonly instructions: string;
}

/** True if an agent has to be asked: a message has no content yet, or the plan sends nothing and has work to do. */
export function needsWork({ work, delivery, instructions }: WorkTerms): boolean {
	if (delivery.length === 0) return work.length > 0 || instructions.trim() !== "";
	return delivery.some(({ content }) => content === undefined);
}

/** A due time that has come. */
export interface ComingDue {
	readonly kind: OccurrenceKind;
	readonly dueAt: Timestamp;
	/** The plan's next time after this one. */
	readonly nextDueAt?: Timestamp | undefined;
	readonly missed?: Missed;
	/**
	 * True if the occurrence waits for the user, because its time is longer ago than `catchUp` allows, passed during a pause, or had come
	 * before a backup was restored.
	 */
	readonly isTooLate?: boolean;
	/** The code with which it and its messages wait if it is too late; `MISSED` if absent. */
	readonly heldAs?: "STORE_RESTORED";
	readonly requestId?: string;
}

/**
 * Handles a due time that has come. While another occurrence is working or delivering, a scheduled one is `skipped`, or queued if the plan
 * says so and none is queued yet. If this due time was already handled and the clock has been set back since, only the plan's next due time
 * is updated.
 */
export function decideDue(
	state: PlanState,
	{ kind, dueAt, nextDueAt, missed, isTooLate, heldAs, requestId }: ComingDue,
): readonly PlanEvent[] {
	const { plan } = state;
	if (plan.status === "deleted" || (plan.status === "paused" && kind === "scheduled")) return [];
	if (kind === "scheduled" && hasBeen(state, dueAt)) return [movedOn(plan, nextDueAt)];
	const moved = kind === "scheduled" ? { nextDueAt: nextDueAt ?? null } : {};
	const base = newOccurrence(state, kind, dueAt, missed);
	const active = state.open.filter(({ occurrence }) => occurrence.status !== "needs_review" && occurrence.kind !== "resend");
	const isWaiting = active.some(({ occurrence }) => occurrence.status === "due");
	const mustSkip = kind === "scheduled" && active.length > 0 && (plan.overlap === "skip" || isWaiting);
	const with_ = (occurrence: Occurrence): readonly PlanEvent[] => [
		{ body: { kind: "task:occurrence", occurrence, ...moved }, ...omitUndefined({ requestId }) },
	];
	if (mustSkip) return with_({ ...base, status: "skipped", code: "OVERLAP", delivery: failed(base.delivery, "CANCELLED") });
	if (isTooLate === true) {
		const code = heldAs ?? "MISSED";
		return with_({ ...base, status: "needs_review", code, delivery: held(base.delivery, code) });
	}
	return with_(base);
}

/** The times of a recurring plan only move forward. The single time of any other plan may be changed to an earlier one. */
function hasBeen({ plan, lastDueAt }: PlanState, dueAt: Timestamp): boolean {
	if (lastDueAt === undefined) return false;
	return plan.type === "recurring" ? dueAt <= lastDueAt : dueAt === lastDueAt;
}

function movedOn({ nextDueAt: _been, ...plan }: Plan, nextDueAt: Timestamp | undefined): PlanEvent {
	return { body: { kind: "task:changed", plan: { ...plan, ...omitUndefined({ nextDueAt }) } } };
}

/** Starts an occurrence that came due: its messages may now be sent, or its work is about to be submitted. */
export function decideBegin(open: OpenOccurrence, plan: Plan, threadId: ThreadId): readonly PlanEvent[] {
	const { occurrence } = open;
	if (occurrence.status !== "due") return [];
	if (needsWork({ ...plan, delivery: occurrence.delivery, work: occurrence.work }) && occurrence.kind !== "resend")
		return begun(open, threadId);
	return changed(open, settled(occurrence), "task:occurrence");
}

/** Records that the work is being submitted, or submitted again. Must be committed before the submission. `rewrites`: see `PlanRun`. */
export function begun({ occurrence, claims }: OpenOccurrence, threadId: ThreadId, rewrites?: RunId): readonly PlanEvent[] {
	const turnId = turnIdOf(occurrence);
	const { code: _code, gate: _gate, ...rest } = occurrence;
	const work = occurrence.work.map(({ description }) => ({ description, status: "pending" as const }));
	const runs = [...occurrence.runs, { threadId, turnId, ...omitUndefined({ rewrites }) }];
	const next = bump({ ...rest, work, status: "running", runs });
	return [{ body: { kind: "task:occurrence", occurrence: next, turnId, threadId }, claims }];
}

/** Records that the bridge accepted the work as a run. */
export function decideRunKnown({ occurrence, claims }: OpenOccurrence, turnId: TurnId, runId: RunId): readonly PlanEvent[] {
	const index = occurrence.runs.findIndex((run) => run.turnId === turnId);
	const run = occurrence.runs[index];
	if (run === undefined || run.runId !== undefined) return [];
	const { waits: _been, ...accepted } = run;
	const next = { ...occurrence, runs: occurrence.runs.with(index, { ...accepted, runId }) };
	return [{ body: { kind: "task:occurrence", occurrence: next, runId, turnId, threadId: run.threadId }, claims }];
}

/** Ends the work: each of its messages may now leave, waits for the user, or will never leave. */
export function decideWorked(open: OpenOccurrence, plan: Plan, turnId: TurnId, result: WorkResult): readonly PlanEvent[] {
	const { occurrence, claims } = open;
	const index = occurrence.runs.findIndex((run) => run.turnId === turnId);
	const run = occurrence.runs[index];
	if (occurrence.status !== "running" || run === undefined || run.status !== undefined) return [];
	const { waits: _been, ...ended } = run;
	const end = workEnd(result);
	const work = occurrence.work.map((item) => ({ ...item, status: end }));
	const { gate, deliverable, grounding } = result;
	const delivery = occurrence.delivery.map((action) => workedAction(action, plan, result));
	const next = settled({
		...bump(occurrence),
		...omitUndefined({ gate, deliverable, grounding }),
		runs: occurrence.runs.with(index, { ...ended, ...omitUndefined({ message: result.doubt }), ...result.run }),
		work,
		delivery,
	});
	const done = end === "completed" || delivery.length > 0 ? next : { ...next, ...unfinished[end] };
	return [{ body: { kind: "task:result", occurrence: done, output: result.output, work, ...omitUndefined({ gate }) }, claims }];
}

function workedAction(
	action: DeliveryAction,
	plan: Plan,
	{ run, gate, deliverable, findings, grounding, isBackedByFiles, doubt }: WorkResult,
): DeliveryAction {
	if (action.status !== "pending") return action;
	if (run.status === "interrupted") return hold(action, "RUN_INTERRUPTED");
	const isRefusal = gate?.valid === false && gate.reason === "declined";
	if (isRefusal && plan.whenDeclined === "stay_quiet") return fail(action, "NOTHING_TO_SAY");
	if (run.status === "cancelled") return fail(action, "CANCELLED");
	if (run.status !== "completed" && !isRefusal) return fail(action, "WORK_FAILED");
	if (gate?.valid === false) return { ...hold(action, `GATE_${upperCase(gate.reason)}`), message: gate.words };
	if (action.content !== undefined) return doubt === undefined ? action : holdFor(action, doubt);
	const { lint: _earlier, ...clean } = action;
	if (deliverable === undefined) return hold(clean, "GATE_MISSING");
	const lint = gravestFirst(findings?.[action.actionId] ?? []);
	const [first] = lint;
	const isFound = grounding?.state === "unverified" || grounding?.state === "replaced";
	const isClaim = isFound && !(isBackedByFiles === true && goesWithFiles(action));
	const claim = isClaim ? (["UNVERIFIED_CLAIM"] as const) : [];
	// The stricter reason wins: a message held for an unverified claim can be sent with one press, and that reason would hide a deceptive
	// link. The others are recorded beside it, because the user may remove the link and nothing else.
	if (first !== undefined) {
		const besides = [...(doubt === undefined ? [] : (["WORK_UNVERIFIED"] as const)), ...claim];
		const held = hold(alsoHeld(clean, besides), `LINT_${upperCase(first.rule)}`);
		return { ...held, ...omitUndefined({ doubt }), lint: lint.slice(0, 50) };
	}
	if (doubt !== undefined) return holdFor(alsoHeld(clean, claim), doubt);
	return isClaim ? hold(clean, "UNVERIFIED_CLAIM") : clean;
}

/**
 * Cancels everything that is pending. `by`: who requested the cancellation. A message that is being handed over is not stopped, and the
 * caller stops the run.
 */
export function decideCancel(open: OpenOccurrence, by?: string): readonly PlanEvent[] {
	const { occurrence, claims } = open;
	if (isOver(occurrence)) return [];
	const isCancellable = ({ status, stage }: DeliveryAction) =>
		status === "pending" || status === "needs_review" || (status === "sending" && stage === "claimed");
	const cancelled = new Set(occurrence.delivery.filter(isCancellable).map(({ actionId }) => actionId));
	if (cancelled.size === 0 && occurrence.delivery.length > 0 && !isWorking(occurrence)) return [];
	const delivery = occurrence.delivery.map((action) => (cancelled.has(action.actionId) ? fail(action, "CANCELLED") : action));
	const left = Object.fromEntries(Object.entries(claims).filter(([actionId]) => !cancelled.has(ActionId.parse(actionId))));
	const { code: _code, ...rest } = occurrence;
	const status = deliveredStatus(delivery);
	// Work that was cut short is not done, no matter what happened to its messages, one of which may still be on its way.
	const isCut = isWorking(occurrence) || delivery.length === 0;
	const end = isCut && isOver(status) ? { status: "cancelled" as const, code: "CANCELLED" as const } : status;
	const next = bump({ ...rest, ...end, runs: withoutWaits(occurrence.runs), delivery });
	const decided = by === undefined ? {} : { decided: { by, decision: "cancel" as const } };
	return [{ body: { kind: "task:occurrence", occurrence: next }, claims: left, ...decided }];
}

/** The recipient of a message that is sent again, given its earlier recipient. Undefined for the channel's owner. */
export type RecipientAgain = (before: string | undefined) => string | undefined;

/** Adds an occurrence that sends messages of an earlier one again. Empty if the plan was deleted, or if one of the messages has no text. */
export function resent(
	state: PlanState,
	earlier: Occurrence,
	actions: readonly DeliveryAction[],
	dueAt: Timestamp,
	requestId: string,
	recipientAgain: RecipientAgain = (before) => before,
): readonly PlanEvent[] {
	if (state.plan.status === "deleted" || actions.some(({ content }) => (content ?? earlier.deliverable) === undefined)) return [];
	const delivery = actions.map(({ channel, content, subject, attach, workedBy, heldFor, recipient: before }, index) => {
		const recipient = recipientAgain(before);
		const kept = { heldFor: heldForItsText(heldFor), workedBy };
		return newAction(occurrenceIdOf(state), index, omitUndefined({ channel, content, subject, attach, recipient, ...kept }));
	});
	const { deliverable, grounding, work, runs } = earlier;
	const occurrence: Occurrence = {
		...newOccurrence(state, "resend", dueAt),
		resends: earlier.occurrenceId,
		work,
		runs,
		delivery,
		status: "delivering",
		...omitUndefined({ deliverable, grounding }),
	};
	return [{ body: { kind: "task:occurrence", occurrence }, requestId }];
}

/** Events that replace an occurrence. Its claims are kept unless others are given. */
export function changed(
	open: OpenOccurrence,
	occurrence: Occurrence,
	kind: "task:occurrence" | "task:review",
	claims: Readonly<Record<string, Claim>> = open.claims,
): readonly PlanEvent[] {
	return [{ body: { kind, occurrence: bump(occurrence) }, claims }];
}

/** True while the messages wait for the work. */
export function isWorking({ status }: Pick<Occurrence, "status">): boolean {
	return status === "due" || status === "running";
}

/** The occurrence with the status that follows from its messages. `placed` sets `endedAt`, the time of the commit. */
export function settled(occurrence: Occurrence): Occurrence {
	const { code: _code, ...rest } = occurrence;
	return { ...rest, ...deliveredStatus(occurrence.delivery) };
}

export function bump(occurrence: Occurrence): Occurrence {
	return { ...occurrence, revision: occurrence.revision + 1 };
}

function failed(delivery: readonly DeliveryAction[], code: DeliveryCode): DeliveryAction[] {
	return delivery.map((action) => fail(action, code));
}

function held(delivery: readonly DeliveryAction[], code: DeliveryCode): DeliveryAction[] {
	return delivery.map((action) => hold(action, code));
}
