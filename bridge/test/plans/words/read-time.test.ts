import { expect, it } from "vitest";
import type { When } from "../../../src/plans/words/plan-form.ts";
import { readTime } from "../../../src/plans/words/read-time.ts";

it("asks when the plan is due after a time that no plan can have", () => {
	const text = "In 600 weeks email me the time";
	const when: When = { kind: "in", amount: 600, unit: "weeks", words: ["In 600 weeks"] };
	const { problems } = readTime(when, { text, newest: text, timezone: "UTC", now: Date.parse("2026-11-23T03:00:00Z") });
	expect(problems.map(({ question }) => question)).toEqual(["The time is more than 5 years away. When is the plan due?"]);
});
