import { expect, it } from "vitest";
import { nextDueWords } from "../../../src/ui/plans/next-due.ts";

const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const now = Date.parse("2026-03-02T12:00:00.000Z");
const words = (timezone: string) => nextDueWords("2026-03-02T23:30:00.000Z", { timezone }, now);

it("says whose clock shows a plan's next time if the plan is in another time zone", () => {
	const elsewhere = here === "Asia/Tokyo" ? "Europe/Berlin" : "Asia/Tokyo";
	expect(words(elsewhere)).toBe(`${words(here)} your time`);
	expect(words(here)).not.toContain("your time");
});
