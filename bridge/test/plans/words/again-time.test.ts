import { expect, it } from "vitest";
import { againTime } from "../../../src/plans/words/again-time.ts";

const pace = (amount: number, unit: "minutes" | "hours") => againTime({ kind: "pace", amount, unit, words: [] }, `every ${amount} ${unit}`);

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
