import { createHash } from "node:crypto";
import { type ActionId, NewPlan, PlanId, RequestId, Sha256, ThreadId, type Timestamp } from "@xworkmate/contracts";
import { decideClaim, decideHandOver } from "../../../src/plans/domain/decide-delivery.ts";
import { decideBegin, decideDue, needsWork } from "../../../src/plans/domain/decide-occurrence.ts";
import { decideCreate } from "../../../src/plans/domain/decide-plan.ts";
import { placed, planView } from "../../../src/plans/domain/plan-state.ts";
import type { Claim, OpenOccurrence, PlanEvent, PlanState } from "../../../src/ports/plans/plan-event.ts";
import type { AppendResult, PlanAppend, PlanStore } from "../../../src/ports/plans/plan-store.ts";

export const hashOf = (text: string): Sha256 => Sha256.parse(createHash("sha256").update(text).digest("hex"));

/** So many seconds after the beginning of the tests. */
export const second = (seconds: number): Timestamp => new Date(Date.UTC(2026, 0, 5) + seconds * 1_000).toISOString();

interface Terms {
	readonly delivery?: readonly unknown[];
	readonly nextDueAt?: Timestamp;
	readonly type?: "immediate" | "scheduled" | "recurring";
	readonly requestId?: string;
	readonly overlap?: "skip" | "queue";
}

/** A plan with messages whose words are given. */
const TO_DASHBOARD = [{ channel: "dashboard", content: "Good morning" }];

export function newPlan(planId: string, { delivery = TO_DASHBOARD, type = "recurring", requestId, overlap }: Terms = {}): NewPlan {
	const terms = { requestId: requestId ?? `make ${planId}`, type, title: `Plan ${planId}`, cron: "0 9 * * *", delivery, overlap };
	return NewPlan.parse(overlap === undefined ? { ...terms, overlap: "skip" } : terms);
}

/** The append that makes a plan. */
export function making(planId: string, epoch: number, terms: Terms = {}): PlanAppend {
	const input = newPlan(planId, terms);
	const ids = { planId: PlanId.parse(planId), threadId: ThreadId.parse(`thread-${planId}`) };
	const events = decideCreate(input, ids, { nextDueAt: terms.nextDueAt, words: "every day at 09:00 (UTC)" }, second(0));
	return {
		...appendOf(undefined, ids.planId, events, epoch),
		made: { requestId: RequestId.parse(input.requestId), inputHash: hashOf(JSON.stringify(input)) },
	};
}

export function appendOf(
	state: PlanState | undefined,
	planId: PlanId,
	events: readonly PlanEvent[],
	epoch: number,
	at: Timestamp = second(0),
): PlanAppend {
	const next = placed(state, events, at);
	return { planId, ...next, view: planView(next.state), epoch };
}

/** Reads a plan, decides, and appends. `undefined`: no decision was made. */
export async function write(
	store: PlanStore,
	planId: PlanId,
	decide: (state: PlanState) => readonly PlanEvent[],
	{ epoch, at = second(0), ...rest }: { readonly epoch: number; readonly at?: Timestamp } & Partial<PlanAppend>,
): Promise<AppendResult | undefined> {
	const state = await found(store, planId);
	const events = decide(state);
	return events.length === 0 ? undefined : store.append({ ...appendOf(state, planId, events, epoch, at), ...rest });
}

export async function found(store: PlanStore, planId: PlanId): Promise<PlanState> {
	const state = await store.find(planId);
	if (state === undefined) throw new Error(`there is no plan ${planId}`);
	return state;
}

export function openOne({ open }: PlanState, index = 0): OpenOccurrence {
	const one = open[index];
	if (one === undefined) throw new Error("no occurrence is open");
	return one;
}

export function actionOf({ occurrence }: OpenOccurrence, index = 0): ActionId {
	const action = occurrence.delivery[index];
	if (action === undefined) throw new Error("the occurrence has no such message");
	return action.actionId;
}

/** A plan that came due, and whose messages may leave. */
export async function duePlan(store: PlanStore, planId: string, epoch: number, terms: Terms = {}): Promise<PlanId> {
	await store.append(making(planId, epoch, terms));
	const id = PlanId.parse(planId);
	await comeDue(store, id, epoch);
	return id;
}

export async function comeDue(store: PlanStore, planId: PlanId, epoch: number, at: Timestamp = second(0)): Promise<void> {
	const threadId = ThreadId.parse("thread-1");
	await write(store, planId, (state) => decideDue(state, { kind: "manual", dueAt: at }), { epoch, at });
	const { occurrence } = openOne(await found(store, planId), -1 + (await found(store, planId)).open.length);
	const begin = (state: PlanState) => {
		const open = state.open.find((one) => one.occurrence.occurrenceId === occurrence.occurrenceId);
		return open === undefined ? [] : decideBegin(open, state.plan, threadId);
	};
	if (!needsWork({ ...occurrence, instructions: "" })) await write(store, planId, begin, { epoch, at });
}

export function claimUntil(epoch: number, until: Timestamp = second(60)): Claim {
	return { epoch, until };
}

/** Claims the first message of a plan's first open occurrence. */
export function claim(store: PlanStore, planId: PlanId, held: Claim, epoch = held.epoch): Promise<AppendResult | undefined> {
	return write(store, planId, (state) => decideClaim(openOne(state), actionOf(openOne(state)), held, Date.parse(second(0))), { epoch });
}

export function handOver(store: PlanStore, planId: PlanId, held: Claim, at: Timestamp = second(0)): Promise<AppendResult | undefined> {
	const payloadHash = hashOf("the payload");
	return write(store, planId, (state) => decideHandOver(openOne(state), actionOf(openOne(state)), held, Date.parse(at), { payloadHash }), {
		epoch: held.epoch,
		at,
	});
}
