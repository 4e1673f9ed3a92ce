import { expect, it } from "vitest";
import { readSeries } from "../../../../e2e/support/plans/read-series.ts";
import { mailText, setUpEmail } from "../../../../e2e/support/plans/set-up-email.ts";
import { startFakeSmtp } from "../../../../e2e/support/services/smtp-server.ts";
import { ClockScene } from "./clock-scene.ts";

const NOON = "2027-03-01T12:00:00.000Z";
const daily = { type: "recurring", cron: "0 9 * * *" };
const hourly = { type: "recurring", cron: "0 * * * *" };

it("a bridge that was off over one time sends one message for it, says that it is late, and goes on", async () => {
	await using scene = await ClockScene.open(NOON);
	const { planId } = await scene.create(daily);
	await scene.stop();
	scene.clock.set(Date.parse("2027-03-02T10:00:00.000Z"));
	await scene.start();
	await scene.rested();
	const at = "2027-03-02T09:00:00.000Z";
	expect(await scene.occurrences(planId)).toMatchObject([
		{ status: "completed", dueAt: at, missed: { count: 1, first: at, last: at }, delivery: [{ status: "completed", attempts: 1 }] },
	]);
	expect(await scene.desk.inbox()).toHaveLength(1);
	expect(await scene.desk.get(planId)).toMatchObject({ status: "pending", nextDueAt: "2027-03-03T09:00:00.000Z" });
	await scene.passTo("2027-03-03T09:00:00.000Z");
	expect(await scene.times(planId)).toEqual(["2027-03-02T09:00 completed", "2027-03-03T09:00 completed"]);
	// The first began an hour late, the second at its time.
	expect((await readSeries(scene.desk.client)).lag).toEqual({ count: 2, sum: 3_600 });
});

it("a bridge that was off over fifty times sends one message for all, tells the user how many, and pauses nothing", async () => {
	await using scene = await ClockScene.open(NOON);
	const { planId } = await scene.create(hourly);
	await scene.stop();
	scene.clock.set(Date.parse("2027-03-03T14:20:00.000Z"));
	await scene.start();
	await scene.rested();
	const missed = { count: 50, first: "2027-03-01T13:00:00.000Z", last: "2027-03-03T14:00:00.000Z" };
	expect(await scene.occurrences(planId)).toMatchObject([{ status: "completed", missed }]);
	expect(await scene.desk.inbox()).toHaveLength(1);
	const told = (await scene.desk.updates(planId)).filter(({ update }) => update.kind === "task:occurrence");
	expect(told[0]?.update).toMatchObject({ occurrence: { missed } });
	expect(await scene.desk.get(planId)).toMatchObject({ status: "pending", nextDueAt: "2027-03-03T15:00:00.000Z" });
});

it("a time that is longer ago than may be caught up with waits for the user, and the plan goes on", async () => {
	await using scene = await ClockScene.open(NOON);
	const { planId } = await scene.create({ ...daily, catchUp: 3_600_000 });
	await scene.stop();
	scene.clock.set(Date.parse("2027-03-02T11:00:00.000Z"));
	await scene.start();
	await scene.rested();
	expect(await scene.occurrences(planId)).toMatchObject([{ status: "needs_review", code: "MISSED", missed: { count: 1 } }]);
	expect((await readSeries(scene.desk.client)).lag.count).toBe(0);
	expect(await scene.desk.inbox()).toEqual([]);
	expect(await scene.desk.get(planId)).toMatchObject({ needsReview: 1, nextDueAt: "2027-03-03T09:00:00.000Z" });
	await scene.passTo("2027-03-03T09:00:00.000Z");
	expect((await scene.times(planId)).at(-1)).toBe("2027-03-03T09:00 completed");
});

it("a machine that slept over a time catches up when it wakes", async () => {
	await using scene = await ClockScene.open(NOON);
	const { planId } = await scene.create(hourly);
	await scene.passTo("2027-03-01T13:00:00.000Z");
	await scene.passTo("2027-03-01T16:30:00.000Z");
	expect(await scene.times(planId)).toEqual(["2027-03-01T13:00 completed", "2027-03-01T16:00 completed"]);
	expect((await scene.occurrences(planId)).map(({ missed }) => missed?.count)).toEqual([undefined, 3]);
	expect(await scene.desk.inbox()).toHaveLength(2);
});

it("a time forty days ahead comes neither when a timer would have overflowed nor before it, and then once", async () => {
	await using scene = await ClockScene.open(NOON);
	const scheduledFor = "2027-04-10T12:00:00.000Z";
	const { planId } = await scene.create({ type: "scheduled", scheduledFor });
	for (const ms of [1, 2 ** 31 - Date.parse(scheduledFor) + Date.parse(NOON) + 40 * 86_400_000, 30 * 86_400_000]) {
		await scene.passTo(Date.parse(NOON) + ms);
		expect(await scene.occurrences(planId)).toEqual([]);
	}
	await scene.passTo("2027-04-10T11:59:59.999Z");
	expect(await scene.occurrences(planId)).toEqual([]);
	await scene.passTo(scheduledFor);
	expect(await scene.occurrences(planId)).toMatchObject([{ status: "completed", dueAt: scheduledFor }]);
	expect(scene.clock.longestMs).toBeLessThan(2 ** 31);
	expect(await scene.desk.inbox()).toHaveLength(1);
});

it("a bridge that was restarted before a time sends then, once", async () => {
	await using scene = await ClockScene.open(NOON);
	const { planId } = await scene.create(daily);
	for (const at of ["2027-03-01T20:00:00.000Z", "2027-03-02T08:59:59.000Z"]) {
		await scene.passTo(at);
		await scene.stop();
		await scene.start();
	}
	expect(await scene.occurrences(planId)).toEqual([]);
	await scene.passTo("2027-03-02T09:00:00.000Z");
	await scene.stop();
	await scene.start();
	await scene.rested();
	const [only, ...others] = await scene.occurrences(planId);
	expect(others).toEqual([]);
	expect(only).toMatchObject({ status: "completed", delivery: [{ attempts: 1 }] });
	expect(only?.missed).toBeUndefined();
	expect(await scene.desk.inbox()).toHaveLength(1);
});

it("a clock that is set back a day sends nothing again, whether the bridge is restarted or not", { timeout: 60_000 }, async () => {
	await using smtp = await startFakeSmtp();
	await using scene = await ClockScene.open(NOON);
	await setUpEmail(scene.desk.client, smtp);
	const delivery = ["email", "dashboard"].map((channel) => ({ channel, content: "Call mom" }));
	const { planId } = await scene.create({ ...daily, delivery });
	await scene.walk("2027-03-03T09:30:00.000Z", 90);
	const sent = ["2027-03-02T09:00 completed", "2027-03-03T09:00 completed"];
	expect(await scene.times(planId)).toEqual(sent);
	await scene.passTo("2027-03-02T08:30:00.000Z");
	await scene.walk("2027-03-02T20:00:00.000Z", 90);
	await scene.stop();
	await scene.start();
	await scene.walk("2027-03-03T20:00:00.000Z", 90);
	expect(await scene.times(planId)).toEqual(sent);
	expect((await smtp.mails()).map(mailText)).toEqual(["Call mom", "Call mom"]);
	expect(await scene.desk.inbox()).toHaveLength(2);
	await scene.passTo("2027-03-04T09:00:00.000Z");
	expect(await smtp.mails()).toHaveLength(3);
	expect(await scene.times(planId)).toEqual([...sent, "2027-03-04T09:00 completed"]);
});

it("the program of a plan works every minute, and a pause ends it", async () => {
	await using scene = await ClockScene.open(NOON);
	const plan = await scene.create({
		type: "recurring",
		cron: "* * * * *",
		instructions: "return 'worked'",
		routing: { executionTarget: "agent", providerId: "script" },
		delivery: [{ channel: "dashboard" }],
	});
	await scene.walk("2027-03-01T12:02:30.000Z", 0.5);
	expect(await scene.times(plan.planId)).toEqual(["2027-03-01T12:01 completed", "2027-03-01T12:02 completed"]);
	expect(await scene.desk.call("pause", { planId: plan.planId })).toMatchObject({ status: "paused" });
	await scene.walk("2027-03-01T12:06:00.000Z", 0.5);
	expect((await scene.desk.inbox()).map(({ text }) => text)).toEqual(["worked", "worked"]);
	expect(await scene.desk.runs(plan.threadId)).toHaveLength(2);
});
