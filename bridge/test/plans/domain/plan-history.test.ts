import { Occurrence, Plan, PlanUpdate } from "@xworkmate/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { applyPlanEvent, isOver, planView } from "../../../src/plans/domain/plan-state.ts";
import { planUpdate } from "../../../src/plans/domain/plan-update.ts";
import type { PlanState } from "../../../src/ports/plans/plan-event.ts";
import { histories } from "./plan-commands.ts";
import { PlanWorld, textOf } from "./plan-world.ts";

const FAR = "2036-01-01T00:00:00.000Z";
const deliveries = [
	[{ channel: "dashboard", content: "Good morning" }],
	[{ channel: "email" }, { channel: "dashboard" }],
	[{ channel: "email" }, { channel: "dashboard", recipient: "ann", content: "It is done" }],
	[],
];

/** What a message was when it was over, or its words since it was handed over. */
type Kept = Map<string, string>;

it("a plan's history keeps its promises, whatever happens in whatever order", async () => {
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...deliveries), fc.constantFrom("skip", "queue"), histories, async (delivery, overlap, commands) => {
			await using world = await PlanWorld.open(delivery, overlap);
			const ends: Kept = new Map();
			for (const command of commands) {
				const before = world.log.length;
				await command.run(world);
				if (world.log.length === before) continue;
				const state = await world.state();
				expect(state).toEqual(foldOf(world));
				expectOwners(state);
				await expectQueues(world, state);
				await expectEnds(world, ends);
			}
			expectHandOvers(world);
			await expectStored(world);
		}),
		{ numRuns: 100 },
	);
}, 60_000);

function foldOf({ log }: PlanWorld): PlanState | undefined {
	return log.reduce<PlanState | undefined>((state, placed) => applyPlanEvent(state, placed), undefined);
}

/** Everything that is not over is someone's: the work's, a sender's, the channel's, or a person's. */
function expectOwners(state: PlanState): void {
	for (const { occurrence, claims } of state.open) {
		const { status, delivery } = occurrence;
		const statuses = new Set(delivery.map((action) => action.status));
		expect(isOver(occurrence)).toBe(false);
		if (status === "running") expect(occurrence.runs.at(-1)).not.toHaveProperty("status");
		if (status === "delivering") expect(statuses.has("pending") || statuses.has("sending")).toBe(true);
		if (status === "needs_review") {
			expect(delivery.length === 0 || statuses.has("needs_review") || statuses.has("unknown")).toBe(true);
			expect(planView(state).needsReview).toBeGreaterThan(0);
		}
		for (const action of delivery) {
			if (action.status === "sending") expect(claims[action.actionId]).toBeDefined();
			if (status === "delivering" && action.status === "pending") expect(textOf({ occurrence }, action)).toBeDefined();
		}
	}
}

/** The store's queues have what the state says. */
async function expectQueues({ store, epoch, planId }: PlanWorld, state: PlanState): Promise<void> {
	const actions = state.open.flatMap(({ occurrence }) => occurrence.delivery.map((action) => ({ occurrence, action })));
	const held = actions.filter(({ action: { status, stage } }) => status === "sending" && stage !== "accepted");
	const idsOf = (rows: readonly { readonly actionId: string }[]) => rows.map(({ actionId }) => actionId).sort();
	expect(idsOf(await store.abandoned(epoch + 1, FAR))).toEqual(idsOf(held.map(({ action }) => action)));
	const laneOf = ({ channel, recipient = "" }: { channel: string; recipient?: string | undefined }) => `${channel}/${recipient}`;
	const busy = new Set(held.map(({ action }) => laneOf(action)));
	const first = new Map<string, string>();
	for (const { occurrence, action } of actions.toSorted((a, b) => byNumber(a.action.actionId, b.action.actionId))) {
		const lane = laneOf(action);
		if (occurrence.status === "delivering" && action.status === "pending" && !busy.has(lane) && !first.has(lane))
			first.set(lane, action.actionId);
	}
	expect(idsOf(await store.claimable(FAR, 99))).toEqual([...first.values()].sort());
	expect((await store.nextActionAt()) !== undefined).toBe(first.size + held.length > 0);
	expect((await store.openPlans(9)).length).toBe(state.open.length > 0 ? 1 : 0);
	const view = planView(state);
	expect((await store.list({ status: view.status, limit: 9 })).items.map(planView)).toEqual([view]);
	expect(await store.due(FAR, 9)).toEqual(view.nextDueAt === undefined ? [] : [planId]);
}

/** By the order in which they were made. */
function byNumber(one: string, other: string): number {
	return Number(one.split("-")[1]) - Number(other.split("-")[1]) || Number(one.split("-")[2]) - Number(other.split("-")[2]);
}

/** What is over stays as it is, and the words of a message that was handed over stay what they were. */
async function expectEnds({ store, planId, log }: PlanWorld, ends: Kept): Promise<void> {
	const keep = (key: string, value: unknown) => {
		const text = JSON.stringify(value);
		expect([key, ends.get(key) ?? text]).toEqual([key, text]);
		ends.set(key, text);
	};
	for (const occurrence of (await store.occurrences(planId, 99)).items) {
		const { occurrenceId, status, code, endedAt, delivery } = occurrence;
		expect(isOver(occurrence)).toBe(endedAt !== undefined);
		if (isOver(occurrence)) keep(occurrenceId, { status, code, endedAt });
		for (const action of delivery) {
			const isEnd = action.status === "completed" || action.status === "failed";
			if (isOver(occurrence)) expect(isEnd).toBe(true);
			const text = textOf({ occurrence }, action);
			// That it had no words of its own, and now has those that it was sent with, changes nothing about it.
			const { content: _words, ...rest } = action;
			if (isEnd) keep(action.actionId, rest);
			if (isEnd && text !== undefined) keep(`${action.actionId} at its end`, text);
			const mayHaveLeft = action.status === "unknown" || (action.status === "sending" && action.stage !== "claimed");
			if (mayHaveLeft || action.status === "completed") keep(`${action.actionId} as handed over`, text);
		}
	}
	// A refused message may get other words.
	const refused = log.at(-1)?.event.attempt;
	if (refused?.state === "refused") ends.delete(`${refused.actionId} as handed over`);
}

/** Of each message at most one hand-over has no recorded refusal, and none is after its end. */
function expectHandOvers({ log }: PlanWorld): void {
	const outstanding = new Map<string, number>();
	const over = new Set<string>();
	for (const { event } of log) {
		const { attempt, body } = event;
		if (attempt?.state === "handed_over") {
			expect(outstanding.has(attempt.actionId)).toBe(false);
			expect(over.has(attempt.actionId)).toBe(false);
			outstanding.set(attempt.actionId, attempt.n);
		}
		if (attempt?.state === "refused" && outstanding.get(attempt.actionId) === attempt.n) outstanding.delete(attempt.actionId);
		for (const { actionId, status } of "occurrence" in body ? body.occurrence.delivery : [])
			if (status === "failed" || status === "completed") over.add(actionId);
	}
}

async function expectStored({ store, planId, log }: PlanWorld): Promise<void> {
	const stored = await store.readEvents({ planId, afterSeq: 0, limit: 1_000 });
	expect(stored).toEqual(log);
	expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
	for (const event of stored) PlanUpdate.parse(planUpdate(event));
	const { items } = await store.occurrences(planId, 99);
	expect(items.map(({ occurrenceId }) => occurrenceId)).toEqual(items.map((_, index) => `${planId}-${items.length - index}`));
	for (const occurrence of items) Occurrence.parse(occurrence);
	const state = await store.find(planId);
	if (state !== undefined) Plan.parse(planView(state));
}
