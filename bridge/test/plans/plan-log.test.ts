import { PlanId, RequestId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideDue } from "../../src/plans/domain/decide-occurrence.ts";
import { decideCreate, decidePause } from "../../src/plans/domain/decide-plan.ts";
import { PlanLog } from "../../src/plans/plan-log.ts";
import type { PlanStore } from "../../src/ports/plans/plan-store.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { hashOf, making, newPlan, second } from "../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../store/sqlite-store-under-test.ts";

const planId = PlanId.parse("p1");

async function openLog(change: (store: PlanStore) => PlanStore = (store) => store) {
	const file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const epoch = await store.beginEpoch(second(0));
	const faults: string[] = [];
	const log = new PlanLog({
		store: change(store),
		clock: new FakeClock(Date.parse(second(0))),
		epoch,
		retryForMs: 30,
		retryEveryMs: 5,
		onFatal: () => faults.push("fatal"),
		onError: () => faults.push("error"),
	});
	await store.append(making("p1", epoch));
	return { log, store, epoch, faults, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

/** A store whose appends fail with this code until it is taken away. */
function failing(code: string) {
	const fault: { code: string | undefined; tries: number } = { code, tries: 0 };
	const change = (store: PlanStore): PlanStore => ({
		...store,
		append: async (append) => {
			fault.tries++;
			if (fault.code !== undefined) throw Object.assign(new Error("the store failed"), { code: fault.code });
			return store.append(append);
		},
	});
	return { fault, change };
}

const due = (seconds: number) => (state: Parameters<typeof decideDue>[0]) => decideDue(state, { kind: "manual", dueAt: second(seconds) });

it("a change that another came before is decided anew, on what is there then", async () => {
	await using scene = await openLog();
	const { log, store } = scene;
	const seqs: number[] = [];
	const committed = await log.change(planId, (state) => {
		seqs.push(state.lastSeq);
		return due(seqs.length)(state);
	});
	expect(seqs).toEqual([1]);
	const all = await Promise.all(Array.from({ length: 20 }, (_, index) => log.change(planId, due(index + 10))));
	expect(all.flatMap(({ events }) => events.map(({ seq }) => seq)).toSorted((a, b) => a - b)).toEqual(
		Array.from({ length: 20 }, (_, index) => index + 3),
	);
	expect(committed.state.lastSeq).toBe(2);
	expect(await store.find(planId)).toMatchObject({ lastSeq: 22, count: 21 });
});

it("a command whose plan changed under it is decided on the changed plan", async () => {
	const other: { change: (() => Promise<unknown>) | undefined } = { change: undefined };
	await using scene = await openLog((store) => ({
		...store,
		append: async (append) => {
			const { change } = other;
			other.change = undefined;
			await change?.();
			return store.append(append);
		},
	}));
	other.change = () => scene.log.change(planId, decidePause);
	const { events } = await scene.log.change(planId, (state) => decideDue(state, { kind: "scheduled", dueAt: second(1) }));
	expect(events).toEqual([]);
	expect(await scene.store.find(planId)).toMatchObject({ plan: { status: "paused" }, count: 0 });
});

it("those who listen are told after the commit; what they throw undoes nothing", async () => {
	await using scene = await openLog();
	const told: (readonly number[])[] = [];
	const stop = scene.log.onCommitted((events) => {
		told.push(events.map(({ feedSeq }) => feedSeq));
		throw new Error("a listener failed");
	});
	await scene.log.change(planId, due(1));
	await scene.log.change(planId, () => []);
	stop();
	await scene.log.change(planId, due(2));
	expect(told).toEqual([[2]]);
	expect(scene.faults).toEqual(["error"]);
});

it("a full disk delays what has happened for as long as it is full, and is told at once to who asks", async () => {
	const { fault, change } = failing("STORE_FULL");
	await using scene = await openLog(change);
	await expect(scene.log.tryChange(planId, due(1))).rejects.toMatchObject({ code: "STORE_FULL" });
	expect(fault.tries).toBe(1);
	const written = scene.log.change(planId, due(1));
	await expect.poll(() => fault.tries, { interval: 5 }).toBeGreaterThan(12);
	fault.code = undefined;
	expect((await written).events).toMatchObject([{ seq: 2 }]);
	expect(scene.faults).not.toContain("fatal");
});

it("any other lasting failure ends the process; a short one does not", async () => {
	const { fault, change } = failing("STORE_FAILED");
	await using scene = await openLog(change);
	const written = scene.log.change(planId, due(1));
	await expect.poll(() => fault.tries, { interval: 1 }).toBeGreaterThan(1);
	fault.code = undefined;
	expect((await written).events).toMatchObject([{ seq: 2 }]);
	fault.code = "STORE_FAILED";
	await expect(scene.log.change(planId, due(2))).rejects.toMatchObject({ code: "STORE_FAILED" });
	expect(scene.faults.at(-1)).toBe("fatal");
});

it("at the end what waits for space is given up", async () => {
	const { fault, change } = failing("STORE_FULL");
	await using scene = await openLog(change);
	const written = scene.log.change(planId, due(1));
	await expect.poll(() => fault.tries, { interval: 5 }).toBeGreaterThan(1);
	scene.log[Symbol.dispose]();
	await expect(written).rejects.toMatchObject({ code: "STORE_FULL" });
	expect(scene.faults).not.toContain("fatal");
});

it("what a decision throws reaches who asked, and a plan that is not there is not found", async () => {
	await using scene = await openLog();
	const refuse = () => {
		throw new Error("no");
	};
	await expect(scene.log.change(planId, refuse)).rejects.toThrow("no");
	await expect(scene.log.change(PlanId.parse("p9"), due(1))).rejects.toMatchObject({ code: "NOT_FOUND" });
	expect(scene.faults).toEqual([]);
});

it("makes a plan once", async () => {
	await using scene = await openLog();
	const made = { planId: PlanId.parse("p2"), requestId: RequestId.parse("r"), inputHash: hashOf("input") };
	const state = await scene.store.find(planId);
	if (state === undefined) throw new Error("no plan");
	const ids = { planId: made.planId, threadId: state.plan.threadId };
	const events = decideCreate(newPlan("p2"), ids, { nextDueAt: undefined, words: "now" }, second(0));
	expect((await scene.log.create(made, events))?.events).toMatchObject([{ seq: 1, planId: "p2" }]);
	expect(await scene.log.create({ ...made, planId: PlanId.parse("p3") }, events)).toBeUndefined();
});
