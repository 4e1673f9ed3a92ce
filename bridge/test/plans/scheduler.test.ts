import fc from "fast-check";
import { expect, it } from "vitest";
import { decideBegin } from "../../src/plans/domain/decide-occurrence.ts";
import { missedOf, passedTimes } from "../../src/plans/missed-times.ts";
import { holdRestored } from "../../src/plans/scheduler.ts";
import { openPlanScene } from "./plan-scene.ts";

const NOON = "2027-03-01T12:00:00.000Z";

it("lets a time come due once, and the next one a day later", async () => {
	await using scene = await openPlanScene(NOON);
	await using scheduler = scene.scheduler();
	const { planId, nextDueAt } = await scene.create({});
	expect(nextDueAt).toBe("2027-03-02T09:00:00.000Z");
	scheduler.begin();
	await expect.poll(() => scene.clock.pending).toBe(1);
	scene.clock.set(Date.parse("2027-03-02T08:59:59.999Z"));
	await settled(scene, "2027-03-02T09:00:00.000Z", planId);
	expect(await scene.occurrences(planId)).toEqual([]);
	scene.clock.set(Date.parse("2027-03-02T09:00:00.000Z"));
	await expect.poll(() => scene.occurrences(planId)).toMatchObject([{ dueAt: "2027-03-02T09:00:00.000Z", kind: "scheduled" }]);
	expect(await scene.service.get({ planId })).toMatchObject({ nextDueAt: "2027-03-03T09:00:00.000Z" });
	expect(await scene.occurrences(planId)).not.toMatchObject([{ missed: expect.anything() }]);
	expect(scene.errors).toEqual([]);
});

it("makes one occurrence of fifty times that passed, and goes on from now", async () => {
	await using scene = await openPlanScene(NOON);
	const { planId } = await scene.create({ cron: "*/10 * * * *" });
	scene.clock.set(Date.parse(NOON) + 500 * 60_000 + 1);
	await using scheduler = scene.scheduler();
	scheduler.begin();
	await expect
		.poll(() => scene.occurrences(planId))
		.toMatchObject([
			{
				status: "due",
				dueAt: "2027-03-01T20:20:00.000Z",
				missed: { count: 50, first: "2027-03-01T12:10:00.000Z", last: "2027-03-01T20:20:00.000Z" },
			},
		]);
	expect(await scene.service.get({ planId })).toMatchObject({ nextDueAt: "2027-03-01T20:30:00.000Z" });
});

it("leaves to a person what is longer ago than may be caught up with", async () => {
	await using scene = await openPlanScene(NOON);
	const late = await scene.create({ type: "scheduled", scheduledFor: "2027-03-01T13:00:00.000Z" });
	const patient = await scene.create({ type: "scheduled", scheduledFor: "2027-03-01T13:00:00.000Z", catchUp: 3 * 24 * 60 * 60_000 });
	scene.clock.set(Date.parse("2027-03-02T13:00:00.001Z"));
	await using scheduler = scene.scheduler();
	scheduler.begin();
	await expect
		.poll(() => scene.occurrences(late.planId))
		.toMatchObject([
			{ status: "needs_review", code: "MISSED", missed: { count: 1 }, delivery: [{ status: "needs_review", code: "MISSED" }] },
		]);
	await expect.poll(() => scene.occurrences(patient.planId)).toMatchObject([{ status: "due", missed: { count: 1 } }]);
});

it("lets a plan that catches up on nothing come due at its time, although the clock has gone on by then", async () => {
	await using scene = await openPlanScene(NOON);
	const { planId } = await scene.create({ type: "scheduled", scheduledFor: "2027-03-01T13:00:00.000Z", catchUp: 0 });
	const late = await scene.create({ type: "scheduled", scheduledFor: "2027-03-01T12:59:00.000Z", catchUp: 0 });
	scene.clock.set(Date.parse("2027-03-01T13:00:00.050Z"));
	await using scheduler = scene.scheduler();
	scheduler.begin();
	await expect.poll(() => scene.occurrences(planId)).toMatchObject([{ status: "due", delivery: [{ status: "pending" }] }]);
	expect(await scene.occurrences(planId)).not.toMatchObject([{ missed: expect.anything() }]);
	await expect.poll(() => scene.occurrences(late.planId)).toMatchObject([{ status: "needs_review", code: "MISSED" }]);
});

it("holds a time that passed before a restore as restored, not as missed, however short ago it was", async () => {
	await using scene = await openPlanScene(NOON);
	const { planId } = await scene.create({ cron: "* * * * *" });
	scene.clock.set(Date.parse(NOON) + 2 * 60_000 + 1);
	await holdRestored({ ...scene, catchUpMs: 24 * 60 * 60_000 });
	expect(await scene.occurrences(planId)).toMatchObject([
		{ status: "needs_review", code: "STORE_RESTORED", missed: { count: 2 }, delivery: [{ code: "STORE_RESTORED" }] },
	]);
});

it("pauses plans after a restore, because another home may still run them, until the user resumes them", async () => {
	await using scene = await openPlanScene(NOON);
	const daily = await scene.create({});
	const once = await scene.create({ type: "scheduled", scheduledFor: "2027-03-02T09:00:00.000Z" });
	const passed = await scene.create({ cron: "* * * * *" });
	scene.clock.set(Date.parse(NOON) + 2 * 60_000);
	await holdRestored({ ...scene, catchUpMs: 24 * 60 * 60_000 });
	for (const { planId } of [daily, once, passed])
		expect(await scene.service.get({ planId })).toMatchObject({ status: "paused", pausedFor: "STORE_RESTORED" });
	await using scheduler = scene.scheduler();
	scheduler.begin();
	await expect.poll(() => scene.clock.pending).toBe(1);
	scene.clock.set(Date.parse("2027-03-02T09:00:00.000Z"));
	expect(await scene.store.due("2027-03-02T09:00:00.000Z", 9)).toEqual([]);
	expect(await scene.occurrences(daily.planId)).toEqual([]);
	expect(await scene.service.resume({ planId: daily.planId })).toMatchObject({ nextDueAt: "2027-03-03T09:00:00.000Z" });
	expect(await scene.service.resume({ planId: once.planId })).toMatchObject({ status: "needs_review", needsReview: 1 });
	expect(await scene.service.delete({ planId: passed.planId })).toMatchObject({ status: "deleted" });
	for (const { planId } of [daily, once, passed]) expect(await scene.service.get({ planId })).not.toHaveProperty("pausedFor");
	expect(await scene.service.pause({ planId: daily.planId })).not.toHaveProperty("pausedFor");
});

it("refuses to pause a plan that has no more due times", async () => {
	await using scene = await openPlanScene(NOON);
	const { planId } = await scene.create({ type: "immediate" });
	await scene.service.cancel({ planId });
	const refusal = await scene.service.pause({ planId }).catch((error: unknown) => error);
	expect(refusal).toMatchObject({
		code: "INVALID_PARAMS",
		message: expect.stringContaining("This plan can't be paused because it has no more due times."),
	});
	expect(await scene.service.get({ planId })).not.toMatchObject({ status: "paused" });
});

it("repeats nothing when the clock is set back, also after a pause", async () => {
	await using scene = await openPlanScene(NOON);
	await using scheduler = scene.scheduler();
	const { planId } = await scene.create({ overlap: "queue" });
	scene.clock.set(Date.parse("2027-03-02T09:00:00.000Z"));
	scheduler.begin();
	await expect.poll(async () => (await scene.occurrences(planId)).length).toBe(1);
	scene.clock.set(Date.parse("2027-03-02T08:00:00.000Z"));
	await scene.service.pause({ planId });
	expect(await scene.service.resume({ planId })).toMatchObject({ nextDueAt: "2027-03-02T09:00:00.000Z" });
	scene.clock.set(Date.parse("2027-03-02T09:00:00.000Z"));
	await settled(scene, "2027-03-03T09:00:00.000Z", planId);
	expect((await scene.occurrences(planId)).length).toBe(1);
	expect(scene.errors).toEqual([]);
});

it.each([
	{ overlap: "skip" as const, statuses: ["delivering", "skipped", "skipped"] },
	{ overlap: "queue" as const, statuses: ["delivering", "due", "skipped"] },
])("does not let times pile up: $overlap", async ({ overlap, statuses }) => {
	await using scene = await openPlanScene(NOON);
	await using scheduler = scene.scheduler();
	const { planId } = await scene.create({ overlap });
	scheduler.begin();
	for (const [index] of statuses.entries()) {
		await expect.poll(() => scene.clock.pending).toBe(1);
		scene.clock.set(Date.parse(`2027-03-0${index + 2}T09:00:00.000Z`));
		await expect.poll(async () => (await scene.occurrences(planId)).length).toBe(index + 1);
		// The first is being sent all the time.
		if (index === 0) await scene.log.change(planId, ({ open, plan }) => open.flatMap((one) => decideBegin(one, plan, plan.threadId)));
	}
	expect((await scene.occurrences(planId)).map(({ status }) => status)).toEqual(statuses);
	expect((await scene.occurrences(planId)).at(-1)).toMatchObject({ code: "OVERLAP" });
});

it("makes nothing up for a recurring plan that was paused, and nothing comes due in a pause", async () => {
	await using scene = await openPlanScene(NOON);
	await using scheduler = scene.scheduler();
	const { planId } = await scene.create({});
	scheduler.begin();
	await scene.service.pause({ planId });
	scene.clock.set(Date.parse("2027-03-05T09:30:00.000Z"));
	expect(await scene.service.resume({ planId })).toMatchObject({ status: "pending", nextDueAt: "2027-03-06T09:00:00.000Z" });
	expect(await scene.occurrences(planId)).toEqual([]);
});

it("lets a thousand plans come due at once without holding the event loop", { timeout: 60_000 }, async () => {
	await using scene = await openPlanScene(NOON);
	const plans: Awaited<ReturnType<typeof scene.create>>[] = [];
	for (let n = 0; n < 1_000; n++) plans.push(await scene.create({}));
	scene.clock.set(Date.parse("2027-03-02T09:00:00.000Z"));
	await using scheduler = scene.scheduler();
	scheduler.begin();
	await expect.poll(() => scene.store.due("2027-03-02T09:00:00.000Z", 1), { timeout: 30_000 }).toEqual([]);
	for (const { planId } of plans.slice(0, 20)) expect((await scene.occurrences(planId)).length).toBe(1);
	expect(scene.errors).toEqual([]);
});

it("counts what passed, and finds the last also beyond what it counts", async () => {
	const step = fc.integer({ min: 1, max: 500 });
	await fc.assert(
		fc.asyncProperty(step, fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 0, max: 499 }), async (minutes, times, rest) => {
			const every = minutes * 60_000;
			const next = (after: number) => (Math.floor(after / every) + 1) * every;
			const now = (times + 1) * every + (rest % minutes) * 1_000;
			const passed = await passedTimes(every, now, next);
			expect(passed).toEqual({ count: Math.min(times + 1, 1_440), first: every, last: (times + 1) * every });
			expect(missedOf(passed, now, false) === undefined).toBe(times === 0 && now - every <= 60_000);
		}),
		{ numRuns: 60 },
	);
});

it("finds the last time also if long pauses surround it", async () => {
	const hour = 3_600_000;
	const counted = Array.from({ length: 1_440 }, (_, minute) => minute * 60_000);
	const known = counted.at(-1) ?? 0;
	for (const hours of [[3], [1, 2, 3], [0.1], [7.9], [8]]) {
		const times = [...counted, ...hours.map((each) => known + each * hour)];
		const passed = await passedTimes(0, known + 8 * hour, (after) => times.find((time) => time > after));
		expect(passed).toEqual({ count: 1_440, first: 0, last: times.at(-1) });
	}
});

/** The scheduler has looked: it waits for the next time. */
async function settled(scene: Awaited<ReturnType<typeof openPlanScene>>, next: string, planId: Parameters<typeof scene.occurrences>[0]) {
	const look = async () => {
		scene.clock.advance(0);
		return (await scene.service.get({ planId })).nextDueAt;
	};
	await expect.poll(look).toBe(next);
}

it("records a time that is too late to begin as missed, however short ago it was", () => {
	expect(missedOf({ count: 1, first: 1_000, last: 1_000 }, 2_000, true)).toMatchObject({ count: 1 });
	expect(missedOf({ count: 1, first: 1_000, last: 1_000 }, 2_000, false)).toBeUndefined();
});
