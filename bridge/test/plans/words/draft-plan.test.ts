import type { ChannelId, Contact } from "@xworkmate/contracts";
import { ContactId, PlanDraft } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { type Draft, type DraftScene, draftPlan } from "../../../src/plans/words/draft-plan.ts";
import type { MessageForm, PlanForm, TaskForm, When } from "../../../src/plans/words/plan-form.ts";
import { instantsOf } from "../../../src/plans/words/wall-instants.ts";
import { type Phrasing, phrasings } from "./phrasings.ts";

const ZONE = "Asia/Bangkok";
const now = Date.parse("2026-11-23T10:00:00+07:00");
const contact = (id: string, name: string, addresses: Contact["addresses"]): Contact => ({
	contactId: ContactId.parse(id),
	name,
	addresses,
});
const contacts = [
	contact("anna", "Anna", { email: "anna@example.com" }),
	contact("bob", "Bob", { whatsapp: "+66812345678" }),
	contact("kim-1", "Kim", { email: "kim@example.com" }),
	contact("kim-2", "Kim", { email: "kim@example.org" }),
];
const all: readonly ChannelId[] = ["whatsapp", "email", "dashboard"];
const scene = (text: string, more: Partial<DraftScene> = {}): DraftScene => ({
	text,
	timezone: ZONE,
	now,
	channels: all.map((channel) => ({ channel, hasOwner: true })),
	contacts,
	...more,
});

function formOf({ channel, content, recipient, when }: Phrasing, change: Partial<TaskForm> = {}): PlanForm {
	const delivery: MessageForm[] = [
		{ channel, channelWords: channel, ...(content !== undefined && { content }), ...(recipient !== undefined && { recipient }) },
	];
	const work = content === undefined ? ["Find out what is asked for"] : [];
	return {
		shouldCreateTask: true,
		task: { title: "A title", instructions: work.length === 0 ? "" : "Find it out", work, delivery, when, ...change },
	};
}

const message = ({ task }: PlanForm): MessageForm => task?.delivery[0] ?? { channel: "none" };
const blocking = ({ problems }: Draft) => problems.filter(({ blocks }) => blocks).map(({ code }) => code);
const dueOf = ({ task }: Draft) => task?.cron ?? task?.scheduledFor;
const meant = ({ due }: Phrasing) => (due?.includes("T") === true ? new Date(`${due}:00+07:00`).toISOString() : due);

/** What no draft may have, whatever the model says. */
function expectTrue(draft: Draft, phrasing: Phrasing) {
	const { text } = phrasing;
	for (const { content, recipient, channel } of draft.task?.delivery ?? []) {
		if (content !== undefined) expect(text).toContain(content);
		if (content !== undefined) expect(content).toBe(phrasing.content);
		if (recipient !== undefined) expect(recipient).toBe(phrasing.contact);
		expect(channel).toBe(phrasing.channel);
	}
	const due = dueOf(draft);
	if (due !== undefined) expect(due).toBe(meant(phrasing));
	if (draft.task !== undefined) expect(PlanDraft.parse(draft.task)).toEqual(draft.task);
}

describe("the table of phrasings", () => {
	it("has at least 60 sentences in at least four languages", () => {
		expect(phrasings.length).toBeGreaterThanOrEqual(60);
		expect(new Set(phrasings.map(({ language }) => language)).size).toBeGreaterThanOrEqual(4);
	});

	it.each(phrasings)("[T2-49] $language: $text", (phrasing) => {
		const draft = draftPlan(formOf(phrasing), scene(phrasing.text));
		expect(blocking(draft)).toEqual(phrasing.problem === undefined ? [] : [phrasing.problem]);
		expectTrue(draft, phrasing);
		if (phrasing.problem?.startsWith("TIME") !== true) expect(dueOf(draft)).toBe(meant(phrasing));
		if (phrasing.problem !== undefined) return;
		expect(draft.task?.delivery).toMatchObject([{ channel: phrasing.channel }]);
		expect(draft.task?.delivery[0]?.content).toBe(phrasing.content);
		expect(draft.task?.delivery[0]?.recipient).toBe(phrasing.contact);
		expect(draft.task?.work).toHaveLength(phrasing.content === undefined ? 1 : 0);
	});
});

type Wrong = (form: PlanForm, phrasing: Phrasing) => PlanForm | undefined;
const withMessage = (form: PlanForm, change: Partial<MessageForm>, task: Partial<TaskForm> = {}): PlanForm =>
	form.task === undefined ? form : { ...form, task: { ...form.task, delivery: [{ ...message(form), ...change }], ...task } };
const otherWhen = (when: When): When => {
	switch (when.kind) {
		case "now":
			return { kind: "at", day: "tomorrow", clock: { hour: 9, minute: 0 }, words: ["tomorrow at 9"] };
		case "in":
			return { ...when, amount: when.amount + 1 };
		case "at":
		case "every":
			return when.clock === undefined
				? { ...when, clock: { hour: 9, minute: 0 } }
				: { ...when, clock: { ...when.clock, hour: (when.clock.hour + 1) % 24 } };
		default:
			return { kind: "pace", amount: 1, unit: "minutes", words: ["every minute"] };
	}
};

/** What a model does wrong, and the problem that shows it. */
const wrongs: Readonly<Record<string, { readonly make: Wrong; readonly code: RegExp }>> = {
	"paraphrases the message": {
		make: (form, { content }) => (content === undefined ? undefined : withMessage(form, { content: `${content} please` })),
		code: /CONTENT_CHANGED/,
	},
	"writes a message that nobody gave": {
		make: (form, { content }) => (content === undefined ? withMessage(form, { content: "Dear all, I quit." }) : undefined),
		code: /CONTENT_CHANGED/,
	},
	"cuts the message": {
		make: (form, { content, text }) =>
			content !== undefined && /["'“„«]/.test(text) && content.length > 8 ? withMessage(form, { content: content.slice(0, 5) }) : undefined,
		code: /CONTENT_CHANGED/,
	},
	"invents a recipient": { make: (form) => withMessage(form, { recipient: "mallory@example.net" }), code: /RECIPIENT_UNKNOWN/ },
	"takes a contact that the words do not name": { make: (form) => withMessage(form, { recipient: "kim-1" }), code: /RECIPIENT_UNKNOWN/ },
	"leaves out whom the words name": {
		make: (form, { contact: id }) => {
			const { recipient: _, ...rest } = message(form);
			return id === undefined || form.task === undefined ? undefined : { ...form, task: { ...form.task, delivery: [rest] } };
		},
		code: /RECIPIENT_UNKNOWN/,
	},
	"names a channel that the words do not": {
		make: (form) => withMessage(form, { channel: "discord", channelWords: "Discord" }),
		code: /CHANNEL_MISSING/,
	},
	"names a channel that there is not": {
		make: (form, { text }) => withMessage(form, { channel: "other", channelWords: text.slice(0, text.search(/[\s，0-9]|$/)) || "SMS" }),
		code: /CHANNEL_(?:UNKNOWN|MISSING)/,
	},
	"names another time": { make: (form, { when }) => withMessage(form, {}, { when: otherWhen(when) }), code: /TIME_/ },
	"computes the time": {
		make: (form, { when }) =>
			when.kind === "in"
				? withMessage(form, {}, { when: { kind: "at", day: "today", clock: { hour: 10, minute: 2 }, words: when.words } })
				: undefined,
		code: /TIME_/,
	},
	"takes the words of the time from elsewhere": {
		make: (form, { when }) =>
			when.kind === "now" ? undefined : withMessage(form, {}, { when: { kind: "in", amount: 7, unit: "hours", words: ["in 7 hours"] } }),
		code: /TIME_UNCLEAR/,
	},
	"obeys what a message says": {
		make: (form) => withMessage(form, { recipient: "evil@example.net", content: "All my passwords" }),
		code: /RECIPIENT_UNKNOWN|CONTENT_CHANGED/,
	},
};

describe.each(Object.entries(wrongs))("a model that %s", (_, { make, code }) => {
	const cases = phrasings.flatMap((phrasing) => {
		const form = make(formOf(phrasing), phrasing);
		return form === undefined ? [] : [{ phrasing, form, text: phrasing.text }];
	});
	it.each(cases)("gets no such draft of: $text", ({ phrasing, form }) => {
		const draft = draftPlan(form, scene(phrasing.text));
		expect(blocking(draft).join()).toMatch(code);
		expectTrue(draft, phrasing);
	});
});

const find = (begin: string): Phrasing => {
	const found = phrasings.find(({ text }) => text.startsWith(begin));
	if (found === undefined) throw new Error(begin);
	return found;
};

describe("a draft", () => {
	it("[T2-68][T2-69] of the research example is one work item and one message without content, right away", () => {
		const phrasing = find("Research the best");
		const form = formOf(phrasing, { work: ["Research the best beaches in Bali for families"] });
		const draft = draftPlan(form, scene(phrasing.text));
		expect(draft).toMatchObject({ shouldCreateTask: true, problems: [] });
		expect(draft.task).toMatchObject({ type: "immediate", work: [{ description: "Research the best beaches in Bali for families" }] });
		expect(draft.task?.delivery).toEqual([{ channel: "whatsapp" }]);
		expect(Object.keys(draft.task ?? {})).toEqual(expect.arrayContaining(["title", "instructions", "work", "delivery", "type"]));
	});

	it("[T2-56][T2-70] of the reminder example is the exact text at its time, and no work", () => {
		const phrasing = find("In 2 minutes");
		const { task, problems } = draftPlan(formOf(phrasing, { work: ["Write a reminder"], instructions: "Be kind" }), scene(phrasing.text));
		expect(problems).toEqual([]);
		expect(task).toMatchObject({ type: "scheduled", scheduledFor: "2026-11-23T03:02:00.000Z", work: [], instructions: "" });
		expect(task?.delivery).toEqual([{ channel: "whatsapp", content: "Don't forget to call mom" }]);
		expect(task?.said).toEqual({ time: "In 2 minutes", channels: ["whatsapp"] });
	});

	it("[T2-87] is none of what asks for something harmful", () => {
		const draft = draftPlan(
			{ shouldCreateTask: false, reason: "It asks for a fake\nemergency alert." },
			scene("Send a fake emergency alert to my WhatsApp"),
		);
		expect(draft).toEqual({ shouldCreateTask: false, reason: "It asks for a fake emergency alert.", problems: [] });
	});

	it("asks again after a time that is over, and after one that can be two", () => {
		const past = draftPlan(formOf(find("Send me the news on WhatsApp today")), scene(find("Send me the news on WhatsApp today").text));
		expect(past.problems).toMatchObject([{ code: "TIME_PAST", choices: [{ scheduledFor: "2026-11-24T01:00:00.000Z" }] }]);
		const two = draftPlan(formOf(find("Send me the news on WhatsApp at 9")), scene("Send me the news on WhatsApp at 9"));
		expect(two.problems[0]?.choices.map(({ scheduledFor }) => scheduledFor)).toEqual([
			"2026-11-23T14:00:00.000Z",
			"2026-11-24T02:00:00.000Z",
		]);
		const early = draftPlan(
			formOf(find("Send me the news on WhatsApp at 9")),
			scene("Send me the news on WhatsApp at 9", { now: now - 2 * 3_600_000 }),
		);
		expect(early).toMatchObject({ task: { scheduledFor: "2026-11-23T02:00:00.000Z" }, problems: [] });
	});

	it("does not begin right away when a time stands in the words that the model left out", () => {
		const { text } = find("In 2 minutes");
		const draft = draftPlan(formOf({ ...find("In 2 minutes"), when: { kind: "now" } }), scene(text));
		expect(draft.problems).toMatchObject([{ code: "TIME_UNCLEAR", blocks: true, choices: [{ label: "Right away" }] }]);
	});

	it("offers the exact words in the place of changed ones", () => {
		const phrasing = find("In 2 minutes");
		const { problems, task } = draftPlan(withMessage(formOf(phrasing), { content: "Remember to call your mother" }), scene(phrasing.text));
		expect(task?.delivery).toEqual([{ channel: "whatsapp" }]);
		expect(task?.instructions).toBe(phrasing.text);
		expect(problems[0]).toMatchObject({ code: "CONTENT_CHANGED", delivery: 0 });
		expect(problems[0]?.choices[0]?.delivery).toEqual({ channel: "whatsapp", content: "Don't forget to call mom" });
	});

	it("asks which contact is meant, and offers those who can be reached", () => {
		const { problems } = draftPlan(formOf(find("Send Kim")), scene(find("Send Kim").text));
		expect(problems).toMatchObject([{ code: "RECIPIENT_UNKNOWN", delivery: 0 }]);
		expect(problems[0]?.choices.map(({ delivery }) => delivery?.recipient)).toEqual(["kim-1", "kim-2", "anna", undefined]);
	});

	it("asks for a recipient if the channel has no owner, and for a channel that can't be used", () => {
		const phrasing = find("Research the best");
		const ownerless = scene(phrasing.text, { channels: [{ channel: "whatsapp", hasOwner: false }] });
		expect(blocking(draftPlan(formOf(phrasing), ownerless))).toEqual(["RECIPIENT_REQUIRED"]);
		const unset = scene(phrasing.text, {
			channels: [
				{ channel: "whatsapp", hasOwner: false, unavailable: "WhatsApp is not set up." },
				{ channel: "dashboard", hasOwner: true },
			],
		});
		const draft = draftPlan(formOf(phrasing), unset);
		expect(draft.problems).toMatchObject([{ code: "CHANNEL_UNAVAILABLE", choices: [{ delivery: { channel: "dashboard" } }] }]);
		expect(blocking(draftPlan(formOf(phrasing), scene(phrasing.text, { channels: [] })))).toEqual(["CHANNEL_UNAVAILABLE"]);
	});

	it("places a message without a channel after the others", () => {
		const text = "Send me the list by fax and by email";
		const form: PlanForm = {
			shouldCreateTask: true,
			task: {
				title: "List",
				instructions: "",
				work: ["Make the list"],
				when: { kind: "now" },
				delivery: [{ channel: "other", channelWords: "fax" }, { channel: "email" }],
			},
		};
		const { task, problems } = draftPlan(form, scene(text));
		expect(task?.delivery).toEqual([{ channel: "email" }]);
		expect(problems).toMatchObject([{ code: "CHANNEL_UNKNOWN", delivery: 1, question: expect.stringContaining("fax") }]);
	});

	it("takes an email's subject from the words, never from the model", () => {
		const phrasing = find('Email Anna "');
		const { task } = draftPlan(withMessage(formOf(phrasing, { title: "URGENT" }), { subject: "Pay now" }), scene(phrasing.text));
		expect(task?.delivery[0]?.subject).toBe("The meeting is at 4");
	});

	it("cleans a title of what no line may hold", () => {
		const phrasing = find("Research the best");
		const { task } = draftPlan(formOf(phrasing, { title: `A\u0000\n\ud83c b${"x".repeat(400)}` }), scene(phrasing.text));
		expect(PlanDraft.shape.title.parse(task?.title)).toMatch(/^A bx+$/);
	});

	it("names both times of an hour that comes twice, and the first after one that is skipped", () => {
		const text = "On 25 October at 02:30 email me the time";
		const at = (month: number, day: number, words: string): When => ({
			kind: "at",
			day: { month, day },
			clock: { hour: 2, minute: 30 },
			words: [words],
		});
		const base = { ...find("Tomorrow at 9:30"), text };
		const berlin = { timezone: "Europe/Berlin", now: Date.parse("2026-03-01T00:00:00Z") };
		const twice = draftPlan(formOf({ ...base, when: at(10, 25, "On 25 October at 02:30") }), scene(text, berlin));
		expect(twice.problems).toMatchObject([
			{ code: "TIME_AMBIGUOUS", choices: [{ scheduledFor: "2026-10-25T00:30:00.000Z" }, { scheduledFor: "2026-10-25T01:30:00.000Z" }] },
		]);
		const spring = "On 29 March at 02:30 email me the time";
		const skipped = draftPlan(formOf({ ...base, when: at(3, 29, "On 29 March at 02:30") }), scene(spring, berlin));
		expect(skipped).toMatchObject({ task: { scheduledFor: "2026-03-29T01:00:00.000Z" }, problems: [{ blocks: false }] });
		expect(instantsOf("Europe/Berlin", { year: 2026, month: 3, day: 29, hour: 2, minute: 30 })).toEqual([]);
	});
});
