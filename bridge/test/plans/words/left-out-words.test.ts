import { expect, it } from "vitest";
import type { When } from "../../../src/plans/words/plan-form.ts";
import { readTime } from "../../../src/plans/words/read-time.ts";

it("asks about words that take something away from a repeating time, and quotes no words side by side that aren't", () => {
	const text = "Every day except Monday at 9 email me the news";
	const when: When = { kind: "every", days: "day", clock: { hour: 9, minute: 0 }, words: ["Every day", "at 9"] };
	const { terms, said, problems } = readTime(when, { text, newest: text, timezone: "UTC", now: Date.parse("2026-11-23T03:00:00Z") });
	expect([terms.cron, said]).toEqual(["0 9 * * *", "Every day … at 9"]);
	expect(problems).toMatchObject([{ blocks: true, question: expect.stringContaining("“except Monday at 9 email me the news”") }]);
	const plain = "Every day at 9 email me the news";
	const whole = readTime(when, { text: plain, newest: plain, timezone: "UTC", now: Date.parse("2026-11-23T03:00:00Z") });
	expect([whole.said, whole.problems]).toEqual(["Every day at 9", []]);
});
