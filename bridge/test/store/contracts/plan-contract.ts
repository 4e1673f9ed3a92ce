import { PlanId, RequestId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { decideOutcome } from "../../../src/plans/domain/decide-delivery.ts";
import { decideCancel, decideDue } from "../../../src/plans/domain/decide-occurrence.ts";
import { decideDelete } from "../../../src/plans/domain/decide-plan.ts";
import { planView } from "../../../src/plans/domain/plan-state.ts";
import { actionOf, appendOf, claim, claimUntil, duePlan, found, handOver, hashOf, making, openOne, second, write } from "./plan-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

const patience = { now: 0, until: Number.MAX_SAFE_INTEGER, most: 8, firstMs: 30_000, mostMs: 900_000, confirmMs: 600_000 };
const planIdOf = (id: string) => PlanId.parse(id);

/** What a store of plans promises, whatever it is made of. */
export function planContract(name: string, open: OpenStore): void {
	describe(`${name}: plans`, () => {
		it("keeps a plan, its fold and its log, across a restart", async () => {
			await using store = await open();
			const epoch = await store.ports.plans.beginEpoch(second(0));
			const planId = await duePlan(store.ports.plans, "p1", epoch);
			const before = await found(store.ports.plans, planId);
			const { plans } = await store.reopen();
			expect(await plans.find(planId)).toEqual(before);
			const log = await plans.readEvents({ planId, afterSeq: 0, limit: 10 });
			expect(log.map(({ seq, feedSeq, event }) => [seq, feedSeq, event.body.kind])).toEqual([
				[1, 1, "task:created"],
				[2, 2, "task:occurrence"],
				[3, 3, "task:occurrence"],
			]);
			expect(before.open).toMatchObject([{ occurrence: { status: "delivering" } }]);
			expect(await plans.findOccurrence(openOne(before).occurrence.occurrenceId)).toEqual(before.newest);
			expect(await plans.beginEpoch(second(1))).toBe(epoch + 1);
		});

		it("takes a request once, and gives the plan that it made", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			const first = making("p1", epoch, { requestId: "r" });
			await plans.append(first);
			expect(await plans.append(making("p2", epoch, { requestId: "r" }))).toEqual({ kind: "behind" });
			expect(await plans.append(making("p1", epoch, { requestId: "another" }))).toEqual({ kind: "behind" });
			expect(await plans.findByRequest(RequestId.parse("r"))).toEqual({ planId: "p1", inputHash: first.made?.inputHash });
			expect(await plans.findByRequest(RequestId.parse("another"))).toBeUndefined();
			expect(await plans.find(planIdOf("p2"))).toBeUndefined();
		});

		it("is behind for a seq that is taken, and writes nothing of the whole batch", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			const [one, two] = [planIdOf("p1"), planIdOf("p2")];
			await plans.appendAll([making("p1", epoch), making("p2", epoch)]);
			const stale = await found(plans, two);
			const due = (at: number) => decideDue(stale, { kind: "manual", dueAt: second(at) });
			await plans.append(appendOf(stale, two, due(1), epoch));
			const before = [await plans.find(one), await plans.find(two), await plans.lastFeedSeq()];
			const first = appendOf(await found(plans, one), one, decideDue(await found(plans, one), { kind: "manual", dueAt: second(1) }), epoch);
			expect(await plans.appendAll([first, appendOf(stale, two, due(2), epoch)])).toEqual({ kind: "behind" });
			expect([await plans.find(one), await plans.find(two), await plans.lastFeedSeq()]).toEqual(before);
		});

		it("refuses a gap, a plan that was never made, and a state that is not after its events", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			await plans.append(making("p1", epoch));
			const state = await found(plans, planIdOf("p1"));
			const next = appendOf(state, planIdOf("p1"), decideDue(state, { kind: "manual", dueAt: second(1) }), epoch);
			const gap = { ...next, events: next.events.map((one) => ({ ...one, seq: one.seq + 1 })) };
			await expect(plans.append(gap)).rejects.toMatchObject({ code: "EVENT_GAP" });
			await expect(plans.append({ ...next, planId: planIdOf("p9") })).rejects.toMatchObject({ code: "APPEND_INVALID" });
			await expect(plans.append({ ...next, state })).rejects.toMatchObject({ code: "APPEND_INVALID" });
			await expect(plans.append({ ...next, events: [] })).rejects.toMatchObject({ code: "APPEND_INVALID" });
			expect(await plans.find(planIdOf("p1"))).toEqual(state);
			expect(await plans.lastFeedSeq()).toBe(1);
		});

		it("refuses the write of a bridge that another has taken over from", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			const planId = await duePlan(plans, "p1", epoch);
			await claim(plans, planId, claimUntil(epoch));
			await plans.beginEpoch(second(1));
			const before = await plans.find(planId);
			await expect(handOver(plans, planId, claimUntil(epoch))).rejects.toMatchObject({ code: "STORE_REFUSED" });
			expect(await plans.find(planId)).toEqual(before);
		});

		it("refuses a second hand-over unless the first was refused", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			const held = claimUntil(epoch);
			const planId = await duePlan(plans, "p1", epoch);
			await claim(plans, planId, held);
			await handOver(plans, planId, held);
			const state = await found(plans, planId);
			const { occurrence } = openOne(state);
			const [action] = occurrence.delivery;
			if (action === undefined) throw new Error("no message");
			const again = (n: number, status: "claimed" | "handed_over") => {
				const sending = { ...action, status: "sending" as const, stage: "claimed" as const, attempts: n };
				const body = { kind: "task:delivery" as const, occurrence: { ...occurrence, delivery: [sending] }, action: sending };
				return { body, claims: { [action.actionId]: held }, attempt: { actionId: action.actionId, n, epoch, state: status } };
			};
			const events = [again(2, "claimed"), again(2, "handed_over")];
			await expect(plans.append(appendOf(state, planId, events, epoch))).rejects.toMatchObject({ code: "STORE_REFUSED" });
			await expect(plans.append(appendOf(state, planId, [again(1, "handed_over")], epoch))).rejects.toMatchObject({
				code: "STORE_REFUSED",
			});
			const refused = { kind: "passing", message: "busy" } as const;
			await write(plans, planId, (now) => decideOutcome(openOne(now), actionOf(openOne(now)), epoch, refused, second(1), patience), {
				epoch,
			});
			await claim(plans, planId, held);
			expect(await handOver(plans, planId, held)).toMatchObject({ kind: "appended" });
		});

		it("lists a deleted plan while the outcome of a message that had been handed over is unknown", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			const planId = await duePlan(plans, "p1", epoch);
			await claim(plans, planId, claimUntil(epoch));
			await handOver(plans, planId, claimUntil(epoch));
			await write(plans, planId, (state) => [...decideDelete(state), ...state.open.flatMap((one) => decideCancel(one))], { epoch });
			const ids = async (query: object) => (await plans.list({ limit: 10, ...query })).items.map(({ plan }) => plan.planId);
			expect(await ids({ needsReview: true })).toEqual([]);
			const lost = { kind: "no_answer", message: "cut" } as const;
			await write(plans, planId, (now) => decideOutcome(openOne(now), actionOf(openOne(now)), epoch, lost, second(1), patience), { epoch });
			expect(await ids({ needsReview: true })).toEqual([planId]);
			expect(await ids({})).toEqual([planId]);
		});

		it("lists plans newest first, by what is asked for, deleted ones only then", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			for (const id of ["p1", "p2", "p3", "p4"]) await plans.append(making(id, epoch, { nextDueAt: second(Number(id.slice(1))) }));
			await write(plans, planIdOf("p3"), decideDelete, { epoch });
			const late = { kind: "scheduled", dueAt: second(2), isTooLate: true } as const;
			await write(plans, planIdOf("p2"), (state) => decideDue(state, late), { epoch });
			const ids = async (query: object) => (await plans.list({ limit: 10, ...query })).items.map(({ plan }) => plan.planId);
			expect(await ids({})).toEqual(["p4", "p2", "p1"]);
			expect(await ids({ status: "pending" })).toEqual(["p4", "p1"]);
			expect(await ids({ status: "deleted" })).toEqual(["p3"]);
			expect(await ids({ needsReview: true })).toEqual(["p2"]);
			const first = await plans.list({ limit: 2 });
			expect((await plans.list({ limit: 2, cursor: first.nextCursor })).items.map(planView)).toMatchObject([{ planId: "p1" }]);
			expect(await plans.countPlans()).toBe(3);
			expect(await plans.due(second(4), 1)).toEqual(["p1"]);
			expect(await plans.due(second(4), 9)).toEqual(["p1", "p4"]);
			expect(await plans.nextDueAt()).toBe(second(1));
			expect(await plans.openPlans(9)).toEqual(["p2"]);
			expect(await plans.openPlans(9, planIdOf("p2"))).toEqual([]);
		});

		it("gives the oldest occurrence of a request, and all of them newest first", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			await plans.append(making("p1", epoch));
			const planId = planIdOf("p1");
			for (const n of [1, 2, 3]) {
				const due = { kind: "manual", dueAt: second(n), requestId: `run ${n}` } as const;
				await write(plans, planId, (state) => decideDue(state, due), { epoch });
			}
			expect(await plans.findOccurrenceByRequest(planId, RequestId.parse("run 2"))).toMatchObject({ occurrenceId: "p1-2" });
			expect(await plans.findOccurrenceByRequest(planId, RequestId.parse("run 4"))).toBeUndefined();
			const page = await plans.occurrences(planId, 2);
			expect(page.items.map(({ occurrenceId }) => occurrenceId)).toEqual(["p1-3", "p1-2"]);
			expect((await plans.occurrences(planId, 2, page.nextCursor)).items).toMatchObject([{ occurrenceId: "p1-1" }]);
			const twice = { kind: "manual", dueAt: second(9), requestId: "run 2" } as const;
			await expect(write(plans, planId, (state) => decideDue(state, twice), { epoch })).rejects.toMatchObject({ code: "STORE_REFUSED" });
		});

		it("feeds what happens to one plan, or to all, after a place", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			await plans.append(making("p1", epoch));
			await plans.append(making("p2", epoch));
			await write(plans, planIdOf("p1"), decideDelete, { epoch });
			const fed = async (query: { planId?: PlanId; afterFeedSeq: number }) =>
				(await plans.readFeed({ ...query, limit: 10 })).map(({ planId, seq, feedSeq }) => [planId, seq, feedSeq]);
			expect(await fed({ afterFeedSeq: 1 })).toEqual([
				["p2", 1, 2],
				["p1", 2, 3],
			]);
			expect(await fed({ afterFeedSeq: 1, planId: planIdOf("p1") })).toEqual([["p1", 2, 3]]);
			expect(await plans.lastFeedSeq()).toBe(3);
		});

		it("keeps a payload under its hash, and refuses another one under the same", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			const bytes = Buffer.from("To: a@example.org\r\n");
			const payload = { sha256: hashOf("To"), channel: "email", mediaType: "message/rfc822", bytes, envelope: '{"to":"a"}' } as const;
			const made = making("p1", epoch);
			await plans.append({ ...made, payloads: [payload, payload] });
			expect(await plans.payload(payload.sha256)).toEqual(payload);
			expect(await plans.payload(hashOf("other"))).toBeUndefined();
			const elsewhere = { ...payload, envelope: '{"to":"b"}' };
			await expect(plans.append({ ...making("p2", epoch), payloads: [elsewhere] })).rejects.toMatchObject({ code: "APPEND_INVALID" });
			expect(await plans.find(planIdOf("p2"))).toBeUndefined();
		});

		it("keeps the inbox, newest first, and what of it was read", async () => {
			await using store = await open();
			const { plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			const row = (n: number) => ({ at: second(n), title: "T", text: `# ${n}`, planId: "p1", occurrenceId: "p1-1", read: false });
			const inbox = [1, 2, 3].map((n) => ({ messageId: `m${n}`, ...row(n) }));
			await plans.append({ ...making("p1", epoch), inbox: [...inbox, ...inbox.slice(0, 1)] });
			expect(await plans.mark(["m2", "m9"], true)).toBe(2);
			const all = await plans.inbox({ limit: 2 });
			expect(all).toMatchObject({
				unread: 2,
				items: [
					{ messageId: "m3", read: false, text: "# 3" },
					{ messageId: "m2", read: true },
				],
			});
			expect((await plans.inbox({ limit: 2, cursor: all.nextCursor })).items).toEqual([inbox[0]]);
			expect((await plans.inbox({ unread: true, limit: 9 })).items.map(({ messageId }) => messageId)).toEqual(["m3", "m1"]);
			expect(await plans.mark(["m2"], false)).toBe(3);
		});
	});
}
