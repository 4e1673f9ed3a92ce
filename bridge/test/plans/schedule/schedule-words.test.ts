import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextTimes } from "../../../src/plans/schedule/schedule.ts";
import { scheduleWords } from "../../../src/plans/schedule/schedule-words.ts";

const words = (cron: string, timezone = "Asia/Bangkok") => scheduleWords({ type: "recurring", cron, timezone });

describe("scheduleWords", () => {
	it.each([
		["0 9 * * 1-5", "every weekday at 09:00"],
		["0 9 * * MON-FRI", "every weekday at 09:00"],
		["0 9,17 * * *", "every day at 09:00 and 17:00"],
		["@daily", "every day at 00:00"],
		["30 8 * * 0,3", "every Wednesday and Sunday at 08:30"],
		["0 9 * * 7", "every Sunday at 09:00"],
		["0 9 1 * *", "on the 1st of every month at 09:00"],
		["0 9 2,3,11 * *", "on the 2nd, 3rd and 11th of every month at 09:00"],
		["0 9 31 * *", "on the 31st of every month (if the month has that day) at 09:00"],
		["0 9 L * *", "on the last day of every month at 09:00"],
		["@yearly", "every year on 1 January at 00:00"],
		["0 9 29 feb *", "every leap year on 29 February at 09:00"],
		["* * * * *", "every minute"],
		["*/15 * * * *", "every 15 minutes"],
		["*/15 9-17 * * 1-5", "every 15 minutes from 09:00 to 17:45 on weekdays"],
		["* 9 * * 2", "every minute from 09:00 to 09:59 on Tuesdays"],
		["@hourly", "every hour"],
		["1 * * * *", "every hour at 1 minute past"],
		["0 */6 * * *", "every 6 hours from 00:00"],
		["*/7 * * * *", "at the times of the cron expression */7 * * * *"],
		["0 */5 * * *", "at the times of the cron expression 0 */5 * * *"],
		["0 9 1 * 1", "at the times of the cron expression 0 9 1 * 1"],
		["0 9 * * MON#1", "at the times of the cron expression 0 9 * * MON#1"],
		["0 9 15W * *", "at the times of the cron expression 0 9 15W * *"],
	])("says %s as words", (cron, expected) => {
		expect(words(cron)).toBe(`${expected} (Bangkok)`);
	});

	it("says when a plan is due once", () => {
		const once = (timezone: string) => scheduleWords({ type: "scheduled", scheduledFor: "2027-02-01T08:00:00Z", timezone });
		expect(once("Europe/Berlin")).toBe("once, on Mon 1 Feb 2027 at 09:00 (Berlin)");
		expect(once("America/Argentina/Buenos_Aires")).toBe("once, on Mon 1 Feb 2027 at 05:00 (Buenos Aires)");
		expect(once("UTC")).toBe("once, on Mon 1 Feb 2027 at 08:00 (UTC)");
		expect(scheduleWords({ type: "immediate", timezone: "UTC" })).toBe("once, right away");
	});

	it.each(Array.from({ length: 12 }, (_, month) => Date.UTC(2027, month, 5, 8)))("abbreviates a month as the app does: %s", (at) => {
		const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
		const words = scheduleWords({ type: "scheduled", scheduledFor: new Date(at).toISOString(), timezone: "UTC" });
		expect(words).toBe(`once, on ${day.format(at).replace(",", "")} at 08:00 (UTC)`);
	});

	it("never fails, and stays short and on one line", () => {
		fc.assert(
			fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 100 }), (text, timezone) => {
				for (const type of ["recurring", "scheduled"] as const) {
					const said = scheduleWords({ type, cron: text, scheduledFor: text, timezone });
					expect(said.length).toBeLessThanOrEqual(300);
					expect(said).not.toMatch(/\p{Cc}/u);
				}
			}),
		);
	});

	it("never says the same of expressions that differ", () => {
		const field = (...all: string[]) => fc.constantFrom("*", ...all);
		const cron = fc
			.tuple(
				field("0", "30", "0,30", "*/15", "*/30", "0-59/15", "*/1", "*/7"),
				field("9", "9,17", "9-17", "*/2", "0-23", "0-23/2", "*/12"),
				field("1", "L", "29", "1,15", "*/2"),
				field("1", "2", "JAN-MAR", "*/6"),
				field("1", "7", "0", "1-5", "0-7", "SAT,SUN", "MON#1"),
			)
			.map((fields) => fields.join(" "));
		const after = Date.parse("2026-11-23T12:00:00Z");
		const due = (text: string) => nextTimes({ type: "recurring", cron: text, timezone: "UTC" }, after, 60).map(({ at }) => at);
		const said = new Map<string, string>();
		fc.assert(
			fc.property(cron, (text) => {
				const sentence = words(text, "UTC");
				const before = said.get(sentence);
				if (before === undefined) said.set(sentence, text);
				else if (before !== text) expect(due(text), text).toEqual(due(before));
			}),
			{ numRuns: 1_500 },
		);
	});
});
