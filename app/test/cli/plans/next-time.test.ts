import { expect, it } from "vitest";
import { planLines } from "../../../src/cli/plans/plan-lines.ts";
import { plan } from "../../support/plan-story.ts";

const now = Date.parse("2026-03-01T09:00:00.000Z");
const due = plan({
	...{ type: "scheduled", status: "pending", timezone: "America/New_York", nextDueAt: "2027-03-14T07:30:00.000Z" },
	scheduleWords: "once, on Sun 14 Mar 2027 at 03:30 (New York)",
});

it("names both zones where a plan's time is shown by another clock too, and one where they are the same", () => {
	const line = (zone: string, timezone = due.timezone) => planLines({ ...due, timezone }, { now, zone })[2];
	expect(line("UTC")).toBe("  once, on Sun 14 Mar 2027 at 03:30 (New York): next on Sun 14 Mar 2027 at 07:30 (UTC)");
	expect(line("Asia/Calcutta")).toContain("at 13:00 (Kolkata)");
	expect(line("America/New_York")).toBe("  once, on Sun 14 Mar 2027 at 03:30 (New York): next on Sun 14 Mar 2027 at 03:30");
	expect(line("Asia/Calcutta", "Asia/Kolkata")).toMatch(/: next on Sun 14 Mar 2027 at 13:00$/);
});
