import { expect, it } from "vitest";
import { againTime } from "../../../src/plans/words/again-time.ts";

const pace = (amount: number, unit: "minutes" | "hours") => againTime({ kind: "pace", amount, unit, words: [] }, `every ${amount} ${unit}`);

it("asks for the half of the day of the time as it was said", () => {
	const daily = (hour: number, minute: number, words: string) =>
		againTime({ kind: "every", days: "day", clock: { hour, minute }, words: [] }, words);
	expect(daily(5, 30, "every day at 5:30")).toBe("Is 5:30 in the morning or in the afternoon? Say am or pm");
	expect(daily(6, 5, "every day at 6:05")).toBe("Is 6:05 in the morning or in the afternoon? Say am or pm");
	expect(daily(5, 0, "every day at 5")).toBe("Is 5 in the morning or in the afternoon? Say am or pm");
});

it("reads a pace that is a whole hour, whichever unit it is named in", () => {
	expect([pace(15, "minutes"), pace(60, "minutes"), pace(1, "hours"), pace(12, "hours")]).toEqual([
		{ cron: "*/15 * * * *" },
		{ cron: "0 * * * *" },
		{ cron: "0 * * * *" },
		{ cron: "0 */12 * * *" },
	]);
});

it("says why there is no plan for a pace: the true reason", () => {
	expect(pace(25, "minutes")).toBe("A plan can't run every 25 minutes: the interval has to divide the hour evenly");
	expect(pace(7, "hours")).toBe("A plan can't run every 7 hours: the interval has to divide the day evenly");
	// It divides the day, but nothing says at what time.
	expect(pace(24, "hours")).toBe("“every 24 hours” doesn't name a time of day");
});
