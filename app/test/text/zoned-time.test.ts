import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dueWords, instantOf, skippedTime, spanOf, timeWords } from "../../src/text/zoned-time.ts";

const now = Date.parse("2026-11-23T07:02:00.000Z");
const bangkok = "Asia/Bangkok";
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

it.each([
	["1m", 60_000],
	["1min", 60_000],
	["90s", 90_000],
	["2h", 7_200_000],
	["1d12h", 129_600_000],
	["1H30M", 5_400_000],
])("reads the span %s", (text, span) => expect(spanOf(text)).toBe(span));

it.each(["", "0m", "1", "m", "-1m", "1.5h", "1m1h", "1 m", "99999999s", "one minute"])("does not read %j as a span", (text) => {
	expect(spanOf(text)).toBeUndefined();
});

it.each([
	["14:03", "2026-11-23T07:03:00.000Z"],
	["14:01", "2026-11-24T07:01:00.000Z"],
	["today 14:01", "2026-11-23T07:01:00.000Z"],
	["tomorrow 09:00", "2026-11-24T02:00:00.000Z"],
	["tomorrow at 9:00", "2026-11-24T02:00:00.000Z"],
	["2026-12-01 09:00", "2026-12-01T02:00:00.000Z"],
	["2026-12-01T09:00:30", "2026-12-01T02:00:30.000Z"],
	["2026-12-01T09:00Z", "2026-12-01T09:00:00.000Z"],
	["2026-12-01T09:00:00+01:00", "2026-12-01T08:00:00.000Z"],
])("reads the time %s in its zone", (text, at) => expect(iso(instantOf(text, now, bangkok))).toBe(at));

it.each(["", "9", "25:00", "09:60", "2026-02-30 09:00", "2026-13-01 09:00", "next week", "2026-12-01", "yesterday 09:00"])(
	"does not read %j as a time",
	(text) => expect(instantOf(text, now, bangkok)).toBeUndefined(),
);

describe("a change of the clock", () => {
	it("reads a time beside it as the clock shows it", () => {
		expect(iso(instantOf("2026-03-29 01:59", now, "Europe/Berlin"))).toBe("2026-03-29T00:59:00.000Z");
		expect(iso(instantOf("2026-03-29 03:00", now, "Europe/Berlin"))).toBe("2026-03-29T01:00:00.000Z");
		expect(iso(instantOf("2026-10-25 03:30", now, "Europe/Berlin"))).toBe("2026-10-25T02:30:00.000Z");
	});

	it.each([
		["Europe/Berlin", "2026-03-29 02:00", "2026-03-29T01:00:00.000Z"],
		["Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:00:00.000Z"],
		["Europe/Berlin", "2026-03-29 02:59:59", "2026-03-29T01:00:00.000Z"],
		["America/New_York", "2026-03-08 02:30", "2026-03-08T07:00:00.000Z"],
		["Australia/Lord_Howe", "2026-10-04 02:10", "2026-10-03T15:30:00.000Z"],
		["America/Santiago", "2026-09-06 00:30", "2026-09-06T04:00:00.000Z"],
		["Pacific/Apia", "2011-12-30 09:00", "2011-12-30T10:00:00.000Z"],
	])("in %s, moves %s, which is skipped, to the first moment after", (zone, text, at) => {
		expect(iso(instantOf(text, now, zone))).toBe(at);
	});

	it("says which times are skipped, and what the clocks show around them", () => {
		const berlin = (text: string) => skippedTime(text, now, "Europe/Berlin");
		const skipped = { before: "02:00", after: "03:00" };
		expect(berlin("2026-03-29 02:30")).toEqual({ named: "02:30", ...skipped });
		expect(berlin("2026-03-29T2:00:00")).toEqual({ named: "02:00", ...skipped });
		expect(skippedTime("2026-10-04 02:10", now, "Australia/Lord_Howe")).toEqual({ named: "02:10", before: "02:00", after: "02:30" });
		expect(skippedTime("tomorrow 02:30", Date.parse("2026-03-28T12:00:00Z"), "Europe/Berlin")).toEqual({ named: "02:30", ...skipped });
		for (const text of ["2026-03-29 01:59", "2026-03-29 03:00", "2026-10-25 02:30", "2026-03-29T02:30:00+01:00", "soon"])
			expect(berlin(text), text).toBeUndefined();
	});

	it.each([
		["Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00.000Z"],
		["America/New_York", "2026-11-01 01:30", "2026-11-01T05:30:00.000Z"],
	])("in %s, reads %s, which is shown twice, as the first", (zone, text, at) => expect(iso(instantOf(text, now, zone))).toBe(at));

	it("reads a time of day alone as the second, once the first has passed", () => {
		const between = Date.parse("2026-11-01T05:45:00.000Z");
		expect(iso(instantOf("01:30", between, "America/New_York"))).toBe("2026-11-01T06:30:00.000Z");
		expect(iso(instantOf("today 01:30", between, "America/New_York"))).toBe("2026-11-01T05:30:00.000Z");
	});
});

it("every time that is read is shown again with its clock", () => {
	const zones = fc.constantFrom("UTC", bangkok, "Asia/Kathmandu", "America/New_York", "Pacific/Apia");
	const minute = fc.integer({ min: 0, max: 1439 });
	fc.assert(
		fc.property(zones, fc.integer({ min: 1, max: 28 }), minute, (zone, day, at) => {
			const clock = `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
			// No zone of these changes its clock in December.
			const instant = instantOf(`2026-12-${String(day).padStart(2, "0")} ${clock}`, now, zone);
			expect(timeWords(instant ?? 0, now, zone)).toMatch(new RegExp(`${clock}$`));
		}),
	);
});

it.each([
	[1, "in 1 s, at 14:02"],
	[3_400, "in 3 s, at 14:02"],
	[40_000, "in 40 s, at 14:02"],
	[59_600, "in 1 min, at 14:02"],
	[60_000, "in 1 min, at 14:03"],
	[118_000, "in 2 min, at 14:03"],
	[7_499_000, "in 2 h 5 min, at 16:06"],
	[7_500_000, "in 2 h 5 min, at 16:07"],
	[11 * 3_600_000, "in 11 h, tomorrow at 01:02"],
	[20 * 3_600_000, "tomorrow at 10:02"],
	[7 * 86_400_000, "on Mon 30 Nov at 14:02"],
	[60 * 86_400_000, "on Fri 22 Jan 2027 at 14:02"],
	[0, "now"],
])("says %i ms ahead as %s", (ahead, words) => expect(dueWords(now + ahead, now, bangkok)).toBe(words));

it("says of a time that is over when it was", () => {
	expect(timeWords(now - 60_000, now, bangkok)).toBe("14:01");
	expect(timeWords(now - 86_400_000, now, bangkok)).toBe("yesterday at 14:02");
});
