import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSchedule, nextTime, nextTimes, type ScheduleTerms } from "../../../src/plans/schedule/schedule.ts";
import { clockTimes } from "./clock-times.ts";

const recurring = (cron: string, timezone = "UTC"): ScheduleTerms => ({ type: "recurring", cron, timezone });
const upcoming = (terms: ScheduleTerms, after: string, count: number) =>
	nextTimes(terms, Date.parse(after), count).map(({ at, note }) => [new Date(at).toISOString().slice(0, 16), note ?? ""]);
const times = (terms: ScheduleTerms, after: string, count: number) => upcoming(terms, after, count).map(([at]) => at);
const now = Date.parse("2026-11-23T12:00:00Z");
const refusal = (terms: ScheduleTerms) => {
	try {
		checkSchedule(terms, now);
		return undefined;
	} catch (error) {
		return error;
	}
};

const NEW_YORK = "America/New_York";
const LORD_HOWE = "Australia/Lord_Howe";
const CAIRO = "Africa/Cairo";
const gap = (from: string, to: string) => `Clocks go from ${from} to ${to} that day, so the plan runs at ${to}.`;
const twice = (at: string) => `Clocks go back that day and show ${at} twice. The plan runs the first time.`;

describe("nextTimes where the clocks change", () => {
	it.each([
		[
			"a time in the gap",
			"30 2 * * *",
			NEW_YORK,
			"2027-03-13T12:00Z",
			["2027-03-14T07:00", gap("02:00", "03:00")],
			["2027-03-15T06:30", ""],
		],
		[
			"several in the gap, once",
			"0,30 2 * * *",
			NEW_YORK,
			"2027-03-14T00:00Z",
			["2027-03-14T07:00", gap("02:00", "03:00")],
			["2027-03-15T06:00", ""],
		],
		[
			"steps of an hour in the gap",
			"*/15 2 * * *",
			NEW_YORK,
			"2027-03-14T00:00Z",
			["2027-03-14T07:00", gap("02:00", "03:00")],
			["2027-03-15T06:00", ""],
		],
		["the gap's end by name", "0 2,3 * * *", NEW_YORK, "2027-03-14T00:00Z", ["2027-03-14T07:00", ""], ["2027-03-15T06:00", ""]],
		["a doubled time", "30 1 * * *", NEW_YORK, "2027-11-06T12:00Z", ["2027-11-07T05:30", twice("01:30")], ["2027-11-08T06:30", ""]],
		[
			"a doubled time, asked for between the two",
			"30 1 * * *",
			NEW_YORK,
			"2027-11-07T05:45Z",
			["2027-11-08T06:30", ""],
			["2027-11-09T06:30", ""],
		],
		[
			"steps of a doubled hour",
			"*/30 1 * * *",
			NEW_YORK,
			"2027-11-07T05:00Z",
			["2027-11-07T05:30", twice("01:30")],
			["2027-11-08T06:00", ""],
		],
		[
			"a gap of half an hour",
			"15 2 * * *",
			LORD_HOWE,
			"2027-10-02T00:00Z",
			["2027-10-02T15:30", gap("02:00", "02:30")],
			["2027-10-03T15:15", ""],
		],
		["a doubled half hour", "45 1 * * *", LORD_HOWE, "2027-04-03T00:00Z", ["2027-04-03T14:45", twice("01:45")], ["2027-04-04T15:15", ""]],
		[
			"a midnight that does not exist",
			"0 0 * * *",
			CAIRO,
			"2027-04-29T12:00Z",
			["2027-04-29T22:00", gap("00:00", "01:00")],
			["2027-04-30T21:00", ""],
		],
		[
			"an hour before midnight, doubled",
			"30 23 * * *",
			CAIRO,
			"2027-10-28T00:00Z",
			["2027-10-28T20:30", twice("23:30")],
			["2027-10-29T21:30", ""],
		],
	])("%s", (_name, cron, timezone, after, first, second) => {
		expect(upcoming(recurring(cron, timezone), after, 2)).toEqual([first, second]);
	});

	it("runs on through the gap and through both passes of a doubled hour", () => {
		const half = recurring("*/30 * * * *", NEW_YORK);
		expect(times(half, "2027-03-14T06:10Z", 3)).toEqual(["2027-03-14T06:30", "2027-03-14T07:00", "2027-03-14T07:30"]);
		expect(times(half, "2027-11-07T04:50Z", 5)).toEqual([
			"2027-11-07T05:00",
			"2027-11-07T05:30",
			"2027-11-07T06:00",
			"2027-11-07T06:30",
			"2027-11-07T07:00",
		]);
		expect(upcoming(half, "2027-11-07T04:50Z", 1)).toEqual([["2027-11-07T05:00", ""]]);
		expect(times(recurring("*/10 * * * *", LORD_HOWE), "2027-10-02T15:15Z", 3)).toEqual([
			"2027-10-02T15:20",
			"2027-10-02T15:30",
			"2027-10-02T15:40",
		]);
	});

	const part = (most: number) => fc.uniqueArray(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 3 }).map((all) => all.join());
	const around = fc.constantFrom(
		[NEW_YORK, "2027-03-13T12:00Z"] as const,
		[NEW_YORK, "2027-11-06T12:00Z"] as const,
		[LORD_HOWE, "2027-10-02T00:00Z"] as const,
		[LORD_HOWE, "2027-04-03T00:00Z"] as const,
		[CAIRO, "2027-04-29T00:00Z"] as const,
		[CAIRO, "2027-10-28T00:00Z"] as const,
		["Antarctica/Troll", "2027-03-27T12:00Z"] as const,
		["Antarctica/Troll", "2027-10-30T12:00Z"] as const,
		["America/Santiago", "2027-09-04T12:00Z"] as const,
	);

	it("are what the clocks of the zone say, minute by minute", () => {
		const hours = fc.oneof(part(4), part(23), fc.constantFrom("*", "*/2", "*/3", "0-4", "23"));
		const minutes = fc.oneof(part(59), fc.constantFrom("0", "30", "*/15", "*/20", "*"));
		fc.assert(
			fc.property(around, minutes, hours, ([timezone, from], minute, hour) => {
				const after = Date.parse(from);
				const until = after + 48 * 60 * 60_000;
				const found: number[] = [];
				const terms = recurring(`${minute} ${hour} * * *`, timezone);
				for (let at = nextTime(terms, after); at !== undefined && at < until; at = nextTime(terms, at)) found.push(at);
				expect(found).toEqual(clockTimes(minute, hour, timezone, after, until));
			}),
			{ numRuns: 120 },
		);
	}, 120_000);

	it("is always later, whatever time is asked for", () => {
		fc.assert(
			fc.property(around, fc.integer({ min: 0, max: 172_800_000 }), part(3), ([timezone, from], more, hour) => {
				const after = Date.parse(from) + more;
				expect(nextTime(recurring(`*/7 ${hour} * * *`, timezone), after)).toBeGreaterThan(after);
			}),
		);
	});
});

describe("nextTime", () => {
	it("is the time of a scheduled plan until it has come, and none of an immediate one", () => {
		const at = Date.parse("2027-02-01T08:00:00Z");
		const terms = { type: "scheduled", scheduledFor: "2027-02-01T09:00:00+01:00", timezone: "UTC" } as const;
		expect(nextTime(terms, at - 1)).toBe(at);
		expect(nextTime(terms, at)).toBeUndefined();
		expect(nextTimes(terms, at - 1, 5)).toEqual([{ at }]);
		expect(nextTime({ type: "immediate", timezone: "UTC" }, now)).toBeUndefined();
		expect(nextTimes({ type: "immediate", timezone: "UTC" }, now, 5)).toEqual([]);
	});

	it("knows leap years, last days and nicknames", () => {
		expect(times(recurring("0 0 29 2 *"), "2026-11-23T00:00Z", 2)).toEqual(["2028-02-29T00:00", "2032-02-29T00:00"]);
		expect(times(recurring("0 9 L * *"), "2027-02-01T00:00Z", 2)).toEqual(["2027-02-28T09:00", "2027-03-31T09:00"]);
		expect(times(recurring("@Weekly"), "2027-02-01T00:00Z", 1)).toEqual(["2027-02-07T00:00"]);
		expect(times(recurring(" 0\t9  * * SUN "), "2027-02-01T00:00Z", 1)).toEqual(["2027-02-07T09:00"]);
		// Either the day or the weekday, as in every cron.
		expect(times(recurring("0 9 3 * MON"), "2027-02-01T10:00Z", 2)).toEqual(["2027-02-03T09:00", "2027-02-08T09:00"]);
	});
});

describe("checkSchedule", () => {
	it.each<[string, ScheduleTerms]>([
		["weekdays", recurring("0 9 * * 1-5", "Asia/Bangkok")],
		["29 February", recurring("0 0 29 2 *")],
		["every minute", recurring("* * * * *")],
		["a nickname", recurring("@daily")],
		["at once", { type: "immediate", timezone: "Europe/Berlin" }],
		["in a second", { type: "scheduled", scheduledFor: "2026-11-23T12:00:01Z", timezone: "UTC" }],
		["in five years", { type: "scheduled", scheduledFor: "2031-11-23T12:00:00Z", timezone: "UTC" }],
	])("takes %s", (_name, terms) => {
		expect(refusal(terms)).toBeUndefined();
	});

	it.each<[string, ScheduleTerms, RegExp]>([
		["31 February", recurring("0 0 31 2 *"), /never matches a date/],
		["29 February on a Monday", recurring("0 0 29 2 +MON"), /no due time in the next 5 years/],
		["seconds", recurring("0 0 9 * * *"), /five fields/],
		["every second", recurring("* * * * * *"), /five fields/],
		["a year", recurring("0 0 9 * * * 2027"), /five fields/],
		["four fields", recurring("0 9 * *"), /five fields/],
		["nothing", recurring(""), /five fields/],
		["a date", recurring("2027-12-01T00:00:00"), /five fields/],
		["a restart", recurring("@reboot"), /five fields/],
		["a name that every object has", recurring("__proto__"), /five fields/],
		["another name that every object has", recurring("constructor"), /five fields/],
		["minute 60", recurring("60 9 * * *"), /minute/],
		["a range backwards", recurring("0 17-9 * * *"), /larger/],
		["a step of zero", recurring("*/0 9 * * *"), /step/],
		["letters", recurring("a b c d e"), /illegal/],
		["no expression", { type: "recurring", timezone: "UTC" }, /needs a cron/],
		["no time", { type: "scheduled", timezone: "UTC" }, /needs a time/],
		["no time at all", { type: "scheduled", scheduledFor: "soon", timezone: "UTC" }, /needs a time/],
		["now", { type: "scheduled", scheduledFor: "2026-11-23T12:00:00Z", timezone: "UTC" }, /in the past/],
		["a time in six years", { type: "scheduled", scheduledFor: "2032-01-01T00:00:00Z", timezone: "UTC" }, /5 years/],
		["an unknown zone", recurring("0 9 * * *", "Mars/Phobos"), /time zone/],
		["an offset", recurring("0 9 * * *", "+05:30"), /time zone/],
		["an empty zone", { type: "immediate", timezone: "" }, /time zone/],
		["both", { ...recurring("0 9 * * *"), scheduledFor: "2027-01-01T00:00:00Z" }, /can't have scheduledFor/],
		["a cron of a plan that is due once", { type: "immediate", cron: "0 9 * * *", timezone: "UTC" }, /can't have a cron/],
	])("refuses %s", (_name, terms, message) => {
		const error = refusal(terms);
		expect(error).toMatchObject({ code: "SCHEDULE_INVALID", message: expect.stringMatching(message), fix: expect.stringMatching(/\S/) });
	});

	it("takes or refuses any text in bounded time, and never fails otherwise", () => {
		const field = fc.oneof(
			fc.stringMatching(/^[0-9*,/#LW+?-]{1,8}$/),
			fc.constantFrom("*", "0", "MON-FRI", "JAN", "1#5", "31", "L", "15W", "+SUN#L"),
		);
		const cron = fc.oneof(
			fc.string({ maxLength: 40 }),
			fc.array(field, { minLength: 4, maxLength: 6 }).map((fields) => fields.join(" ")),
		);
		fc.assert(
			fc.property(cron, fc.constantFrom("UTC", NEW_YORK), (text, timezone) => {
				const began = performance.now();
				const error = refusal(recurring(text, timezone));
				expect(performance.now() - began).toBeLessThan(5_000);
				if (error !== undefined) expect(error).toMatchObject({ code: "SCHEDULE_INVALID" });
				else expect(nextTime(recurring(text, timezone), now)).toBeGreaterThan(now);
			}),
			{ numRuns: 500 },
		);
	});
});
