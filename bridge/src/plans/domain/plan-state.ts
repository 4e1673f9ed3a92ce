import type { DeliveryAction, DeliveryStatus, Occurrence, OccurrenceStatus, Plan, PlanStatus, Timestamp } from "@xworkmate/contracts";
import { chainedOfPlan, emptyPlanChain, omitUndefined } from "@xworkmate/contracts";
import type { PlacedPlanEvent, PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import { deliveryReceipts } from "./delivery-receipts.ts";
import { sha256Of } from "./sha256.ts";

const OVER: readonly OccurrenceStatus[] = ["completed", "failed", "cancelled", "skipped"];

/** True for an occurrence that no longer changes, except for what a channel reports later. */
export function isOver({ status }: Pick<Occurrence, "status">): boolean {
	return OVER.includes(status);
}

/** The state after one more event. Pure; the first event is `task:created`. */
export function applyPlanEvent(state: PlanState | undefined, { seq, event }: Pick<PlacedPlanEvent, "seq" | "event">): PlanState {
	const { body } = event;
	if (body.kind === "task:created" || body.kind === "task:changed") {
		const { nextDueAt } = body.plan;
		const { count = 0, open = [], newest, lastDueAt, receipts } = state ?? {};
		return { plan: body.plan, lastSeq: seq, count, open, ...omitUndefined({ nextDueAt, lastDueAt, newest, receipts }) };
	}
	if (state === undefined) throw new Error("a plan's log must begin with task:created");
	if (body.kind === "receipt") return { ...state, lastSeq: seq, receipts: { count: body.receipt.n, hash: body.receipt.hash } };
	const { occurrence } = body;
	const isNew = state.newest === undefined || isLater(occurrence, state.newest);
	const entry = { occurrence, claims: event.claims ?? {} };
	const others = state.open.filter((one) => one.occurrence.occurrenceId !== occurrence.occurrenceId);
	const wasAt = state.open.findIndex((one) => one.occurrence.occurrenceId === occurrence.occurrenceId);
	const open = isOver(occurrence) ? others : wasAt < 0 ? [...others, entry] : state.open.with(wasAt, entry);
	const isNewest = isNew || state.newest?.occurrenceId === occurrence.occurrenceId;
	const { nextDueAt: before, ...rest } = state;
	const nextDueAt = body.kind === "task:occurrence" && body.nextDueAt !== undefined ? (body.nextDueAt ?? undefined) : before;
	return {
		...rest,
		lastSeq: seq,
		open,
		count: isNew ? state.count + 1 : state.count,
		...omitUndefined({ nextDueAt, lastDueAt: laterDue(state.lastDueAt, occurrence), newest: isNewest ? occurrence : state.newest }),
	};
}

function laterDue(before: Timestamp | undefined, { kind, dueAt }: Occurrence): Timestamp | undefined {
	return kind === "scheduled" && (before === undefined || dueAt > before) ? dueAt : before;
}

/** The number in an occurrence's id, which counts the plan's occurrences. */
export function numberOf({ occurrenceId }: Pick<Occurrence, "occurrenceId">): number {
	return Number(occurrenceId.slice(occurrenceId.lastIndexOf("-") + 1));
}

function isLater(one: Occurrence, other: Occurrence): boolean {
	return numberOf(one) > numberOf(other);
}

/** What a plan does each time that it is due, as it was created or last changed. */
export function termsOf({ work, delivery }: Plan): NonNullable<Plan["terms"]> {
	return {
		work: work.map(({ description }) => ({ description })),
		delivery: delivery.map(({ channel, recipient, content, subject, attach }) =>
			omitUndefined({ channel, recipient, content, subject, attach }),
		),
	};
}

/** The plan in the form that is shown. */
export function planView(state: PlanState): Plan {
	const { plan, nextDueAt, newest, lastSeq, open } = state;
	const { nextDueAt: _at, occurrence: _one, ...terms } = plan;
	const unknown = open.flatMap(({ occurrence }) => occurrence.delivery.filter(({ status }) => status === "unknown")).length;
	return {
		...terms,
		status: planStatus(state),
		needsReview: waitingForPerson(state),
		...(unknown > 0 && { unknownOutcomes: unknown }),
		lastSeq,
		terms: termsOf(plan),
		...(newest === undefined ? {} : { work: newest.work, delivery: newest.delivery, occurrence: newest }),
		...omitUndefined({ nextDueAt: isDue(state) ? nextDueAt : undefined }),
	};
}

/** True if the plan has a next time, and is neither paused nor deleted. */
export function isDue({ plan, nextDueAt }: PlanState): boolean {
	return nextDueAt !== undefined && plan.status !== "paused" && plan.status !== "deleted";
}

/**
 * True if none of the plan's occurrences is open and there will be no more: it was deleted, or it has had an occurrence and has no more due
 * times. A paused plan is not over, because it can be resumed. Later reports of a channel about a message do not count.
 */
export function isPlanOver(state: PlanState): boolean {
	const { plan, open, newest } = state;
	if (open.length > 0) return false;
	return plan.status === "deleted" || (plan.status !== "paused" && newest !== undefined && !isDue(state));
}

/**
 * The plan's status: the first rule that applies (docs/protocol.md#plans). `paused` and `deleted` are set on the plan itself; the rest
 * follows from its occurrences and its next time.
 */
function planStatus(state: PlanState): PlanStatus {
	const { plan, open, newest } = state;
	if (plan.status === "deleted" || plan.status === "paused") return plan.status;
	const statuses = open.map(({ occurrence }) => occurrence.status);
	if (statuses.some((status) => status === "due" || status === "running" || status === "delivering")) return "running";
	if (statuses.includes("needs_review")) return "needs_review";
	if (isDue(state)) return "pending";
	if (newest === undefined) return "pending";
	return newest.status === "failed" ? "failed" : "completed";
}

/** How many messages wait for the user or have an unknown outcome. Work that waits as a whole, without messages, counts as one. */
function waitingForPerson({ open }: PlanState): number {
	return open.reduce((sum, { occurrence: { status, delivery } }) => {
		const waiting = delivery.filter((action) => isWaiting(action.status)).length;
		return sum + (delivery.length === 0 && status === "needs_review" ? 1 : waiting);
	}, 0);
}

function isWaiting(status: DeliveryStatus): boolean {
	return status === "needs_review" || status === "unknown";
}

/**
 * The status that follows from an occurrence's messages, once its work is over. `failed` with a code if one of them failed, but `cancelled`
 * if all were cancelled, and `skipped` if none had a text to send. A message that is still being sent or waits for the user keeps it open.
 */
export function deliveredStatus(actions: readonly DeliveryAction[]): Pick<Occurrence, "status" | "code"> {
	const has = (...statuses: readonly DeliveryStatus[]) => actions.some(({ status }) => statuses.includes(status));
	if (has("pending", "sending")) return { status: "delivering" };
	if (has("needs_review", "unknown")) return { status: "needs_review" };
	if (!has("failed")) return { status: "completed" };
	if (has("completed")) return { status: "failed", code: "DELIVERY_PARTIAL" };
	const codes = new Set(actions.map(({ code }) => code));
	if (codes.size === 1 && codes.has("CANCELLED")) return { status: "cancelled", code: "CANCELLED" };
	if (codes.size === 1 && codes.has("NOTHING_TO_SAY")) return { status: "skipped", code: "NOTHING_TO_SAY" };
	if (codes.has("WORK_FAILED")) return { status: "failed", code: "WORK_FAILED" };
	return { status: "failed", code: "DELIVERY_FAILED" };
}

/**
 * Places decided events in the log, each followed by its receipts. If an event ends an occurrence, its time becomes the end of the
 * occurrence.
 */
export function placed(
	state: PlanState | undefined,
	events: readonly PlanEvent[],
	at: string,
): { readonly state: PlanState; readonly events: readonly PlacedPlanEvent[] } {
	let next = state;
	const result: PlacedPlanEvent[] = [];
	const place = (event: PlanEvent): PlanState => {
		const seq: number = (next?.lastSeq ?? 0) + 1;
		const after = applyPlanEvent(next, { seq, event });
		result.push({ seq, at, status: planStatus(after), event });
		next = after;
		return after;
	};
	for (const decided of events) {
		const event = withEnd(decided, at);
		const drafts = deliveryReceipts(next, event);
		let after = place(event);
		const { planId } = after.plan;
		for (const draft of drafts) {
			const receipt = chainedOfPlan(planId, after.receipts ?? emptyPlanChain(planId), at, draft, sha256Of);
			after = place({ body: { kind: "receipt", receipt } });
		}
	}
	if (next === undefined) throw new Error("no decision was made");
	return { state: next, events: result };
}

function withEnd(event: PlanEvent, at: Timestamp): PlanEvent {
	const { body } = event;
	if (!("occurrence" in body) || !isOver(body.occurrence) || body.occurrence.endedAt !== undefined) return event;
	return { ...event, body: { ...body, occurrence: { ...body.occurrence, endedAt: at } } };
}
