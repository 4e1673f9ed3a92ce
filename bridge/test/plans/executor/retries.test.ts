import { PlanId, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideBegin, decideDue } from "../../../src/plans/domain/decide-occurrence.ts";
import { decideReview } from "../../../src/plans/domain/decide-review.ts";
import { making, openOne, second } from "../../store/contracts/plan-fixture.ts";
import { openScene, SOON, toEmail } from "./executor-scene.ts";
import { payloadOf, ScriptedChannel, sends } from "./scripted-channel.ts";

const busy = async () => ({ kind: "passing", message: "busy" }) as const;

it("a message is tried eight times, at intervals that double from 30 s to 15 min, then waits for a person", async () => {
	await using scene = await openScene();
	scene.channel.play = busy;
	const planId = await scene.plan("p1");
	scene.executor.begin();
	const waits: number[] = [];
	for (let attempt = 1; attempt < 8; attempt++) {
		await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "pending", attempts: attempt });
		const { notBefore = "" } = await scene.first(planId);
		const wait = Date.parse(notBefore) - scene.clock.now();
		waits.push(wait / 1_000);
		scene.pass(wait - 1);
		expect(await scene.first(planId)).toMatchObject({ status: "pending", attempts: attempt });
		scene.pass(1);
	}
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "RETRIES_EXHAUSTED", attempts: 8 });
	expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
});

it("a server's Retry-After is obeyed, and one beyond the day leaves it to a person", async () => {
	await using scene = await openScene();
	scene.channel.play = async () => ({ kind: "passing", message: "later", retryAfterMs: 3_600_000 });
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "pending", notBefore: second(3_600) });
	scene.channel.play = async () => ({ kind: "passing", message: "later", retryAfterMs: 23 * 3_600_000 });
	scene.pass(3_600_001);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "TOO_LATE", message: "later" });
});

it("no retry comes after the plan's next time", async () => {
	await using scene = await openScene();
	scene.channel.play = busy;
	const planId = await scene.plan("p1");
	await scene.log.change(planId, (state) => [{ body: { kind: "task:changed", plan: { ...state.plan, nextDueAt: second(29) } } }]);
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "TOO_LATE" });
});

it("a retry by timer needs nobody", async () => {
	await using scene = await openScene();
	scene.channel.play = busy;
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "pending", attempts: 1 });
	scene.channel.play = sends;
	// The look that arms the timer is over once the clock has one at that time.
	await expect
		.poll(() => {
			scene.clock.advance(30_000);
			return scene.first(planId);
		}, SOON)
		.toMatchObject({ status: "completed", attempts: 2 });
});

it("a message that lay for more than a day waits for a person, who may send it; one they send is as new", async () => {
	await using scene = await openScene();
	const planId = await scene.plan("p1");
	scene.clock.advance(24 * 3_600_000 + 1);
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "TOO_LATE", attempts: 0 });
	expect(scene.channel.journal).toEqual([]);
	const payload = payloadOf("email", "as previewed");
	await scene.log.change(planId, (state) => {
		const [open] = state.open;
		const [action] = open?.occurrence.delivery ?? [];
		if (open === undefined || action === undefined) return [];
		const payloads = { [action.actionId]: { payloadHash: payload.sha256 } };
		return { events: decideReview(open, undefined, { kind: "send", payloads }, ThreadId.parse("t")), payloads: [payload] };
	});
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed" });
	expect(scene.channel.journal).toEqual(["as previewed"]);
	expect(scene.channel.attempts).toMatchObject([{ n: 1, isReviewed: true }]);
	expect(scene.channel.rendered).toBe(0);
});

it("a retry that was kept past the plan's next time waits for a person", async () => {
	await using scene = await openScene();
	scene.channel.play = busy;
	await scene.store.append(making("p1", scene.log.epoch, { delivery: [toEmail()] }));
	const planId = PlanId.parse("p1");
	await scene.log.change(planId, (state) => decideDue(state, { kind: "scheduled", dueAt: second(0) }));
	await scene.log.change(planId, (state) => decideBegin(openOne(state), state.plan, ThreadId.parse("t")));
	scene.executor.begin();
	const first = async () => (await scene.open(planId)).occurrence.delivery[0];
	await expect.poll(first, SOON).toMatchObject({ status: "pending", attempts: 1 });
	await scene.log.change(planId, (state) => decideDue(state, { kind: "scheduled", dueAt: second(10) }));
	scene.pass(30_000);
	await expect.poll(first, SOON).toMatchObject({ status: "needs_review", code: "TOO_LATE", attempts: 1 });
});

it("an attempt after the first hands over the same bytes", async () => {
	await using scene = await openScene();
	scene.channel.play = async ({ handOver, leave }) => {
		await handOver();
		leave();
		return { kind: "passing", message: "greylisted" };
	};
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "pending", attempts: 1, providerMessageId: "m" });
	expect(scene.channel.attempts[0]).not.toHaveProperty("isReviewed");
	scene.channel.play = sends;
	scene.pass(30_000);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", attempts: 2 });
	expect(scene.channel.rendered).toBe(1);
	expect(scene.channel.journal[1]).toBe(scene.channel.journal[0]);
});

it("a message whose previewed bytes are gone is not built again", async () => {
	await using scene = await openScene();
	const planId = await scene.plan("p1");
	await scene.log.change(planId, (state) => {
		const [open] = state.open;
		if (open === undefined) return [];
		const delivery = open.occurrence.delivery.map((action) => ({ ...action, payloadHash: payloadOf("email", "gone").sha256 }));
		return [{ body: { kind: "task:review", occurrence: { ...open.occurrence, delivery } }, claims: open.claims }];
	});
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "ATTACHMENT_MISSING" });
	expect([scene.channel.rendered, scene.channel.journal.length]).toEqual([0, 0]);
});

it("of two messages the one that was sent stays sent while the other is tried again", async () => {
	const bad = new ScriptedChannel("discord");
	bad.play = busy;
	await using scene = await openScene({ beside: [bad] });
	const planId = await scene.plan("p1", [toEmail(), { channel: "discord", content: "Good morning" }]);
	scene.executor.begin();
	await expect.poll(() => scene.actions(planId), SOON).toMatchObject([{ status: "completed" }, { status: "pending", attempts: 1 }]);
	scene.pass(30_000);
	await expect.poll(() => scene.actions(planId), SOON).toMatchObject([{ status: "completed" }, { status: "pending", attempts: 2 }]);
	bad.play = sends;
	scene.pass(60_000);
	await expect.poll(() => scene.actions(planId), SOON).toMatchObject([{ status: "completed" }, { status: "completed", attempts: 3 }]);
	expect([scene.channel.journal.length, bad.journal.length]).toEqual([1, 1]);
});
