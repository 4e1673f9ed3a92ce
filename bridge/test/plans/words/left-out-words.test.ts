import { Contact } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { draftPlan } from "../../../src/plans/words/draft-plan.ts";
import { leftOutOfSchedule, leftOutPeople } from "../../../src/plans/words/overlooked.ts";
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

const at9: When = { kind: "at", day: "thursday", clock: { hour: 9, minute: 0 }, words: ["Thursday", "at 9"] };
const mondays: When = { kind: "every", days: ["monday"], clock: { hour: 9, minute: 0 }, words: ["every", "Monday", "at 9"] };

function questions(when: When, text: string, timezone = "UTC") {
	const { problems } = readTime(when, { text, newest: text, timezone, now: Date.parse("2026-11-23T03:00:00Z") });
	return problems.map(({ question }) => question);
}

it.each([
	["every other Monday at 9", "every other Monday"],
	["every second Monday at 9", "every second Monday"],
	["every Monday at 9, fortnightly", "fortnightly"],
	["every last Monday of the month at 9", "last Monday"],
	["every 2nd Monday at 9", "every 2nd Monday"],
	["every Monday at 9, on the last day of the month", "last day of the month"],
])("asks about an interval or a day that the schedule doesn't have: %s", (text, left) => {
	expect(questions(mondays, text)).toEqual([expect.stringContaining(`“${left}”`)]);
});

it("asks about a repeating time that was read as a single one", () => {
	expect(questions(at9, "Email me the news every Thursday at 9")).toEqual([expect.stringContaining("“every Thursday”")]);
	expect(questions(at9, "Email me the news on Thursday at 9, with every number in it")).toEqual([]);
});

it.each([
	["on Thursday at 9 Berlin time", "UTC", "Berlin time"],
	["on Thursday at 9 New York time", "Europe/Berlin", "New York time"],
	["on Thursday at 9 UTC", "Europe/Berlin", "UTC"],
	["on Thursday at 9 am EST", "UTC", "EST"],
	["on Thursday at 9 AM EST", "UTC", "EST"],
	["on Thursday at 9 AM Berlin time", "UTC", "Berlin time"],
	["on Thursday at 9 Pacific time", "UTC", "Pacific time"],
])("asks about a time zone that is not the plan's: %s", (text, timezone, zone) => {
	expect(questions(at9, text, timezone)).toEqual([expect.stringContaining(`“${zone}”`)]);
});

it.each([
	["on Thursday at 9 Berlin time", "Europe/Berlin"],
	["on Thursday at 9 UTC", "UTC"],
	["on Thursday at 9 EST", "America/New_York"],
	["Lunch time is on Thursday at 9", "UTC"],
	["on Thursday at 9 Pacific time", "America/Los_Angeles"],
	["on Thursday at 9 IST", "Asia/Kolkata"],
	["on Thursday at 9, at the family reunion time", "UTC"],
])("asks nothing about the plan's own time zone, or about words that name none: %s", (text, timezone) => {
	expect(questions(at9, text, timezone)).toEqual([]);
});

it.each<[string, When]>([
	["in half an hour", { kind: "in", amount: 1, unit: "hours", words: ["in half an hour"] }],
	["in an hour and a half", { kind: "in", amount: 1, unit: "hours", words: ["in an hour and a half"] }],
	["every hour and a half", { kind: "pace", amount: 1, unit: "hours", words: ["every hour and a half"] }],
])("does not take a half for a whole: %s", (text, when) => {
	expect(questions(when, text)).toEqual([expect.stringContaining("can't be read")]);
});

describe("people whom the words join to a recipient", () => {
	const contacts = ["Anna", "Bob", "Carl"].map((name) =>
		Contact.parse({ contactId: name.toLowerCase(), name, addresses: name === "Carl" ? {} : { email: `${name}@example.org` } }),
	);
	const channels = [{ channel: "email", hasOwner: true }] as const;
	const asked = (text: string, ...recipients: readonly (string | undefined)[]) =>
		leftOutPeople(
			text,
			recipients.map((recipient) => ({ channel: "email", content: "Hi", ...(recipient !== undefined && { recipient }) })),
			{ contacts, channels },
		);

	it.each([
		["Email Anna and Bob the news", ["anna"], "Bob"],
		["Email Anna, Bob the news", ["anna"], "Bob"],
		["Email me and Bob the news", [undefined], "Bob"],
		["Email Bob & Anna the news", ["anna"], "Bob"],
	] as const)("are asked about if no message goes to them: %s", (text, recipients, name) => {
		expect(asked(text, ...recipients)).toMatchObject([
			{
				...{ blocks: true, question: `You also mentioned “${name}”, but no message will be sent to that contact. Should one be?` },
				choices: [{ label: "Yes, the same message", delivery: { channel: "email", content: "Hi", recipient: "bob" } }, { label: "No" }],
			},
		]);
		// Its answer adds a message; a place would let a second answer replace the first.
		expect(asked(text, ...recipients).map(({ delivery }) => delivery)).toEqual([undefined]);
	});

	it("may be the user", () => {
		expect(asked("Email Anna and me the news", "anna")).toMatchObject([
			{
				question: expect.stringContaining("mentioned yourself"),
				choices: [{ delivery: { channel: "email", content: "Hi" } }, { label: "No" }],
			},
		]);
		expect(asked("Email Anna and me the news", "anna", undefined)).toEqual([]);
	});

	it("are each asked about, and offered no message that can't reach them", () => {
		const [bob, carl] = asked("Email Anna, Bob and Carl the news", "anna");
		expect([bob?.question, carl?.question]).toEqual([expect.stringContaining("Bob"), expect.stringContaining("Carl")]);
		expect(carl?.choices.map(({ label }) => label)).toEqual(["No"]);
	});

	it.each([
		["Email Anna the news about Bob", ["anna"]],
		["Email Anna and Bob's sister the news", ["anna"]],
		["Email Anna and Bob the news", ["anna", "bob"]],
		["Email Anna the news about Bob and Carl", ["anna"]],
		["Email Anna and tell me the news", ["anna"]],
	] as const)("are not asked about otherwise: %s", (text, recipients) => {
		expect(asked(text, ...recipients)).toEqual([]);
	});
});

it("the draft of a plan asks about a contact whom the words join to a recipient", () => {
	const contacts = ["Anna", "Bob"].map((name) =>
		Contact.parse({ contactId: name.toLowerCase(), name, addresses: { email: `${name}@a.org` } }),
	);
	const delivery = [{ channel: "email" as const, channelWords: "Email", recipient: "Anna" }];
	const task = { title: "News", instructions: "", work: ["Find the news"], delivery, when: at9 };
	const text = "Email Anna and Bob the news on Thursday at 9";
	const scene = { text, timezone: "UTC", now: Date.parse("2026-11-23T03:00:00Z"), contacts };
	const channels = [{ channel: "email", hasOwner: true }] as const;
	const { problems } = draftPlan({ shouldCreateTask: true, task }, { ...scene, channels });
	expect(problems.map(({ question }) => question)).toEqual([
		"You also mentioned “Bob”, but no message will be sent to that contact. Should one be?",
	]);
	const answered = { ...scene, channels, text: `${text}\nNo, only Anna`, newest: "No, only Anna" };
	expect(draftPlan({ shouldCreateTask: true, task }, answered).problems).toEqual([]);
});

it.each(["every 15th of the month at 9", "every Monday at 9, a summary of the last day"])("finds nothing left out of: %s", (text) => {
	expect(leftOutOfSchedule(text)).toBeUndefined();
});
