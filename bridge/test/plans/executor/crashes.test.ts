import type { PlanId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { PlanAppend, PlanStore } from "../../../src/ports/plans/plan-store.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { duePlan, found, second } from "../../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../../store/sqlite-store-under-test.ts";
import { openBridge, SOON, toEmail } from "./executor-scene.ts";
import { ScriptedChannel, sends } from "./scripted-channel.ts";

type Point =
	| "before the claim"
	| "after the claim"
	| "before the hand-over"
	| "after the hand-over"
	| "before the outcome"
	| "after the outcome";

/** A store that a bridge dies at: its write, or all after it, never returns. */
function dyingAt(store: PlanStore, point: Point): { readonly store: PlanStore; readonly died: Promise<void> } {
	const [when, , what] = point.split(" ");
	const { promise: died, resolve: die } = Promise.withResolvers<void>();
	const never = new Promise<never>(() => undefined);
	let isDead = false;
	const append = async (one: PlanAppend) => {
		if (isDead) return never;
		isDead = stepOf(one) === what;
		if (!isDead) return store.append(one);
		if (when === "after") await store.append(one);
		die();
		return never;
	};
	return { store: { ...store, append }, died };
}

function stepOf({ events }: PlanAppend): string | undefined {
	const state = events.findLast(({ event }) => event.attempt !== undefined)?.event.attempt?.state;
	if (state === "claimed") return "claim";
	if (state === "handed_over") return "hand-over";
	return state === undefined ? undefined : "outcome";
}

/** How the message is after a new bridge has taken up what the dead one left, and how often it left. */
const table: readonly (readonly [Point, status: object, left: number])[] = [
	["before the claim", { status: "completed", attempts: 1 }, 1],
	["after the claim", { status: "completed", attempts: 2 }, 1],
	["before the hand-over", { status: "completed", attempts: 2 }, 1],
	["after the hand-over", { status: "unknown", code: "BRIDGE_RESTARTED", attempts: 1 }, 0],
	["before the outcome", { status: "unknown", code: "BRIDGE_RESTARTED", attempts: 1 }, 1],
	["after the outcome", { status: "completed", attempts: 1 }, 1],
];

it.each(table)("[T2-67] a bridge that ends %s leaves a message that the next one never doubles", async (point, expected, left) => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const channel = new ScriptedChannel();
	const dying = dyingAt(store, point);
	const first = await openBridge(dying.store, { clock: new FakeClock(Date.parse(second(0))), channels: [channel] });
	const planId = await duePlan(store, "p1", first.log.epoch, { delivery: [toEmail()] });
	first.executor.begin();
	await dying.died;

	const next = await openBridge(store, { clock: new FakeClock(Date.parse(second(1))), channels: [channel] });
	await using executor = next.executor;
	await executor.recover();
	executor.begin();
	await expect.poll(() => firstAction(store, planId), SOON).toMatchObject(expected);
	expect(channel.journal).toHaveLength(left);
	expect([...next.errors, ...next.fatal]).toEqual([]);
});

it("a bridge that another has taken over from hands nothing over", async () => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const old = new ScriptedChannel();
	const { promise: building, resolve: build } = Promise.withResolvers<void>();
	old.building = building;
	const first = await openBridge(store, { clock: new FakeClock(Date.parse(second(0))), channels: [old] });
	const planId = await duePlan(store, "p1", first.log.epoch, { delivery: [toEmail()] });
	first.executor.begin();
	await expect.poll(() => firstAction(store, planId), SOON).toMatchObject({ stage: "claimed" });
	const channel = new ScriptedChannel();
	const next = await openBridge(store, { clock: new FakeClock(Date.parse(second(1))), channels: [channel] });
	await next.executor.recover();
	build();
	await expect.poll(() => first.errors, SOON).toMatchObject([{ code: "STORE_REFUSED" }]);
	next.executor.begin();
	await expect.poll(() => firstAction(store, planId), SOON).toMatchObject({ status: "completed" });
	expect([old.journal.length, channel.journal.length]).toEqual([0, 1]);
	await first.executor[Symbol.asyncDispose]();
	await next.executor[Symbol.asyncDispose]();
});

it("an outcome that can't be written because another bridge has taken over ends this one", async () => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const channel = new ScriptedChannel();
	const { promise: answer, resolve: say } = Promise.withResolvers<void>();
	channel.play = async (scene) => {
		const outcome = await sends(scene);
		await answer;
		return outcome;
	};
	const first = await openBridge(store, { clock: new FakeClock(Date.parse(second(0))), channels: [channel] });
	const planId = await duePlan(store, "p1", first.log.epoch, { delivery: [toEmail()] });
	first.executor.begin();
	await expect.poll(() => channel.journal.length, SOON).toBe(1);
	const next = await openBridge(store, { clock: new FakeClock(Date.parse(second(1))), channels: [channel] });
	await next.executor.recover();
	say();
	await expect.poll(() => first.fatal, SOON).toMatchObject([{ code: "STORE_REFUSED" }]);
	expect(await firstAction(store, planId)).toMatchObject({ status: "unknown", code: "BRIDGE_RESTARTED" });
	await first.executor[Symbol.asyncDispose]();
	await next.executor[Symbol.asyncDispose]();
});

it("the outcome of a claim that someone else has had since changes nothing of theirs", async () => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const clocks = [new FakeClock(Date.parse(second(0))), new FakeClock(Date.parse(second(61)))] as const;
	const slow = new ScriptedChannel();
	const { promise: answer, resolve: say } = Promise.withResolvers<void>();
	slow.play = async () => {
		await answer;
		return { kind: "refused", code: "RECIPIENT_REFUSED", message: "late", fix: "" };
	};
	const first = await openBridge(store, { clock: clocks[0], channels: [slow] });
	const planId = await duePlan(store, "p1", first.log.epoch, { delivery: [toEmail()] });
	first.executor.begin();
	await expect.poll(() => firstAction(store, planId), SOON).toMatchObject({ stage: "claimed" });

	// Another process of the same start, which finds the lease over.
	const channel = new ScriptedChannel();
	const { promise: going, resolve: go } = Promise.withResolvers<void>();
	channel.play = async ({ handOver, leave }) => {
		await handOver();
		leave();
		await going;
		return { kind: "accepted", proof: "sent" };
	};
	const second_ = await openBridge(store, { clock: clocks[1], channels: [channel], epoch: first.log.epoch });
	second_.executor.begin();
	await expect.poll(() => firstAction(store, planId), SOON).toMatchObject({ stage: "handing_over", attempts: 2 });
	say();
	clocks[0].advance(120_000);
	await first.executor[Symbol.asyncDispose]();
	expect(await firstAction(store, planId)).toMatchObject({ stage: "handing_over", attempts: 2 });
	go();
	await expect.poll(() => firstAction(store, planId), SOON).toMatchObject({ status: "completed" });
	expect([slow.journal.length, channel.journal.length]).toEqual([0, 1]);
	await second_.executor[Symbol.asyncDispose]();
});

it("a message whose outcome is not known is never sent again by itself", async () => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const channel = new ScriptedChannel();
	channel.play = async ({ handOver, leave }) => {
		await handOver();
		leave();
		return { kind: "no_answer", message: "cut" };
	};
	let planId: PlanId | undefined;
	for (const start of [0, 1, 2]) {
		const clock = new FakeClock(Date.parse(second(start * 86_400)));
		const bridge = await openBridge(store, { clock, channels: [channel] });
		const epoch = bridge.log.epoch;
		const id = planId ?? (await duePlan(store, "p1", epoch, { delivery: [toEmail()] }));
		planId = id;
		await bridge.executor.recover();
		bridge.executor.begin();
		await expect.poll(() => firstAction(store, id), SOON).toMatchObject({ status: "unknown" });
		clock.advance(3_600_000);
		await bridge.executor[Symbol.asyncDispose]();
	}
	expect(channel.journal).toHaveLength(1);
});

it("a message that was accepted waits on after a restart, and is unknown without a word", async () => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const channel = new ScriptedChannel();
	channel.play = async ({ handOver, leave }) => {
		await handOver();
		leave();
		return { kind: "accepted", proof: "accepted", awaitsProof: true };
	};
	const limits = { confirmMs: 600_000 };
	const first = await openBridge(store, { clock: new FakeClock(Date.parse(second(0))), channels: [channel], limits });
	const planId = await duePlan(store, "p1", first.log.epoch, { delivery: [toEmail()] });
	first.executor.begin();
	await expect.poll(() => firstAction(store, planId), SOON).toMatchObject({ stage: "accepted" });
	await first.executor[Symbol.asyncDispose]();
	const clock = new FakeClock(Date.parse(second(100)));
	const { executor } = await openBridge(store, { clock, channels: [channel], limits });
	await executor.recover();
	executor.begin();
	expect(await firstAction(store, planId)).toMatchObject({ stage: "accepted" });
	clock.advance(500_000);
	executor.wake();
	await expect.poll(() => firstAction(store, planId), SOON).toMatchObject({ status: "unknown", code: "NO_CONFIRMATION" });
	await executor[Symbol.asyncDispose]();
	expect(channel.journal).toHaveLength(1);
});

it("one message that can't be taken up keeps no other one back", async () => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const stuck = new ScriptedChannel();
	stuck.building = new Promise(() => undefined);
	const first = await openBridge(store, { clock: new FakeClock(Date.parse(second(0))), channels: [stuck] });
	const plans = [];
	for (const id of ["p1", "p2"]) plans.push(await duePlan(store, id, first.log.epoch, { delivery: [toEmail(id, id)] }));
	const [bad, good] = plans;
	if (bad === undefined || good === undefined) throw new Error("no plans");
	first.executor.begin();
	for (const id of plans) await expect.poll(() => firstAction(store, id), SOON).toMatchObject({ stage: "claimed" });
	const append = (one: PlanAppend) => (one.planId === bad ? Promise.reject(new Error("no")) : store.append(one));
	const next = await openBridge({ ...store, append }, { clock: new FakeClock(Date.parse(second(1))), channels: [new ScriptedChannel()] });
	await using executor = next.executor;
	await executor.recover();
	executor.begin();
	await expect.poll(() => firstAction(store, good), SOON).toMatchObject({ status: "completed" });
	expect(await firstAction(store, bad)).toMatchObject({ stage: "claimed" });
});

async function firstAction(store: PlanStore, planId: PlanId) {
	return (await found(store, planId)).newest?.delivery[0];
}
