import { expect, it } from "vitest";
import { ClockScene } from "./clock-scene.ts";

const NEW_YORK = "America/New_York";
const LORD_HOWE = "Australia/Lord_Howe";
const CAIRO = "Africa/Cairo";
const BERLIN = "Europe/Berlin";

/** From and until when the clock is walked, and which times come due meanwhile, in UTC. */
interface Change {
	readonly what: string;
	readonly timezone: string;
	readonly cron: string;
	readonly from: string;
	readonly until: string;
	readonly due: readonly string[];
}

const spring = { from: "2027-03-13T06:40Z", until: "2027-03-15T07:20Z" };
const autumn = { from: "2027-11-07T04:20Z", until: "2027-11-07T08:20Z" };
const changes: readonly Change[] = [
	{
		what: "New York skips the hour of it",
		timezone: NEW_YORK,
		cron: "30 2 * * *",
		...spring,
		due: ["2027-03-13T07:30", "2027-03-14T07:00", "2027-03-15T06:30"],
	},
	{ what: "New York shows it twice", timezone: NEW_YORK, cron: "30 1 * * *", ...autumn, due: ["2027-11-07T05:30"] },
	{
		what: "New York shows every half hour of it twice, and it is due in steps",
		timezone: NEW_YORK,
		cron: "*/30 * * * *",
		from: "2027-11-07T04:50Z",
		until: "2027-11-07T07:10Z",
		due: ["2027-11-07T05:00", "2027-11-07T05:30", "2027-11-07T06:00", "2027-11-07T06:30", "2027-11-07T07:00"],
	},
	{
		what: "Berlin skips it",
		timezone: BERLIN,
		cron: "30 2 * * *",
		from: "2027-03-28T00:20Z",
		until: "2027-03-29T01:20Z",
		due: ["2027-03-28T01:00", "2027-03-29T00:30"],
	},
	{
		what: "Berlin shows it twice",
		timezone: BERLIN,
		cron: "30 2 * * *",
		from: "2027-10-30T23:50Z",
		until: "2027-11-01T02:20Z",
		due: ["2027-10-31T00:30", "2027-11-01T01:30"],
	},
	{
		what: "Lord Howe skips half an hour",
		timezone: LORD_HOWE,
		cron: "15 2 * * *",
		from: "2027-10-02T14:50Z",
		until: "2027-10-03T15:40Z",
		due: ["2027-10-02T15:30", "2027-10-03T15:15"],
	},
	{
		what: "Lord Howe shows half an hour twice",
		timezone: LORD_HOWE,
		cron: "45 1 * * *",
		from: "2027-04-03T14:20Z",
		until: "2027-04-04T15:40Z",
		due: ["2027-04-03T14:45", "2027-04-04T15:15"],
	},
	{
		what: "Cairo has no midnight",
		timezone: CAIRO,
		cron: "0 0 * * *",
		from: "2027-04-29T21:20Z",
		until: "2027-04-30T21:20Z",
		due: ["2027-04-29T22:00", "2027-04-30T21:00"],
	},
	{
		what: "Cairo shows it twice",
		timezone: CAIRO,
		cron: "30 23 * * *",
		from: "2027-10-28T20:10Z",
		until: "2027-10-29T22:00Z",
		due: ["2027-10-28T20:30", "2027-10-29T21:30"],
	},
];

it.concurrent.each(changes)("by the bridge's clock a time is due once where $what", { timeout: 60_000 }, async (change) => {
	const { timezone, cron, from, until, due } = change;
	await using scene = await ClockScene.open(from);
	const { planId } = await scene.create({ type: "recurring", cron, timezone });
	await scene.walk(until, 5);
	expect(await scene.times(planId)).toEqual(due.map((at) => `${at} completed`));
	for (const { missed } of await scene.occurrences(planId)) expect(missed).toBeUndefined();
	expect(await scene.desk.inbox()).toHaveLength(due.length);
	expect(await scene.desk.get(planId)).toMatchObject({ status: "pending" });
});
