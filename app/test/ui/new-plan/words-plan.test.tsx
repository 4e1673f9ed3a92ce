import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { Contact, methods, NewPlan } from "@xworkmate/contracts";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { PlanDraft } from "../../../src/ui/new-plan/plan-draft.ts";
import { WordsPlan } from "../../../src/ui/new-plan/words-plan.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { contact, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	sessionStorage.clear();
	location.hash = "";
});

const SAID = "Don’t forget to call mom";
const sentence = `In 2 minutes, send me a WhatsApp message saying “${SAID}”`;
/** Times that have passed are not shown. */
const AT = "2099-11-23T10:06:00.000Z";
const task = {
	title: "Call mom",
	instructions: "",
	work: [],
	delivery: [{ channel: "whatsapp", content: SAID }],
	type: "scheduled",
	scheduledFor: AT,
	timezone: "UTC",
	scheduleWords: "once, at 10:06",
	said: { time: "In 2 minutes", channels: ["WhatsApp"] },
};
const ready = { shouldCreateTask: true, task, problems: [] };
const asks = {
	shouldCreateTask: true,
	task: {
		...task,
		title: "Beaches",
		instructions: "Research beaches",
		work: [{ description: "Research beaches" }],
		delivery: [{ channel: "email" }],
		scheduledFor: undefined,
	},
	problems: [
		{
			code: "RECIPIENT_UNKNOWN",
			blocks: true,
			delivery: 0,
			question: "Which Anna?",
			choices: [
				{ label: "Anna, supplier", delivery: { channel: "email", recipient: "anna" } },
				{ label: "You", delivery: { channel: "email" } },
			],
		},
		{ code: "TIME_AMBIGUOUS", blocks: true, question: "Today or tomorrow?", choices: [{ label: "Tomorrow", scheduledFor: AT }] },
	],
};

function Page({ openForm }: { openForm(draft?: PlanDraft): void }) {
	const [text, setText] = useState(sentence);
	const shown = { sentence: text, setSentence: setText, channels: [], contacts: [Contact.parse(contact)], routing: undefined, openForm };
	return <WordsPlan {...shown} />;
}

function open(extraction: unknown, answers: object = {}) {
	const calls = fakeApp({
		extractPlan: extraction instanceof Refused ? extraction : () => methods["xworkmate.plans.extract"].result.parse(extraction),
		planSchedule: { words: "once", times: [{ at: AT }] },
		createPlan: plan(),
		...answers,
	});
	const forms: (PlanDraft | undefined)[] = [];
	render(<Page openForm={(draft) => void forms.push(draft)} />, { wrapper: new InApp().wrapper });
	return { forms, made: () => calls.filter(({ method }) => method === "createPlan").map(({ params }) => params) };
}
const read = () => fireEvent.click(screen.getByRole("button", { name: /^Create (?:new )?draft/ }));

describe("a plan from a sentence", () => {
	it("shows the exact text, its origin and its times, and makes nothing before the press", async () => {
		const { made } = open(ready);
		read();
		const draft = await screen.findByRole("region", { name: "Draft" });
		await waitFor(() => expect(draft.textContent).toContain("23 Nov"));
		for (const said of [
			SAID,
			"word for word from your sentence, 24 characters",
			"from “In 2 minutes”",
			"from “WhatsApp”",
			"no agent is needed",
		])
			expect(draft.textContent).toContain(said);
		expect(made()).toEqual([]);
		const field = screen.getByRole("textbox");
		fireEvent.keyDown(field, { key: "Enter" });
		fireEvent.keyDown(field, { key: "Enter", ctrlKey: true, repeat: true });
		expect(made()).toEqual([]);
		fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
		await waitFor(() => expect(location.hash).toBe("#/plans/p1"));
		expect(NewPlan.parse(made()[0])).toMatchObject({
			type: "scheduled",
			scheduledFor: AT,
			words: sentence,
			work: [],
			instructions: "",
			delivery: [{ channel: "whatsapp", content: SAID }],
		});
	});

	it("asks what is open by choices, and makes the plan only when all are answered", async () => {
		const { made } = open(asks);
		read();
		const create = await screen.findByRole("button", { name: "Create plan" });
		expect(create).toHaveProperty("disabled", true);
		expect(screen.getByText("2 questions to answer first")).toBeTruthy();
		fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter", ctrlKey: true });
		expect(made()).toEqual([]);
		const who = screen.getByRole("group", { name: "Which Anna?" });
		expect(
			within(who)
				.getAllByRole("radio")
				.some((radio) => (radio as HTMLInputElement).checked),
		).toBe(false);
		fireEvent.click(within(who).getByRole("radio", { name: "Anna, supplier" }));
		fireEvent.click(screen.getByRole("radio", { name: "Tomorrow" }));
		fireEvent.click(create);
		await waitFor(() => expect(made()).toHaveLength(1));
		expect(made()[0]).toMatchObject({ delivery: [{ channel: "email", recipient: "anna" }], scheduledFor: AT });
	});

	it.each<[string, readonly object[]]>([
		["CHANNEL_MISSING", []],
		["CHANNEL_UNKNOWN", []],
		["CHANNEL_MISSING", [{ description: "Call mom" }]],
	])("says nothing of the message or the work before the question where it goes is answered: %s, %j", async (code, work) => {
		const { forms } = open({
			shouldCreateTask: true,
			task: { ...task, work, instructions: sentence, delivery: [], said: { time: "In 2 minutes", channels: [] } },
			problems: [
				{
					...{ code, blocks: true, delivery: 0, question: "Where should it go?" },
					choices: [{ label: "WhatsApp", delivery: { channel: "whatsapp", content: SAID } }],
				},
			],
		});
		read();
		const draft = await screen.findByRole("region", { name: "Draft" });
		const row = (name: string) => within(draft).queryByText(name, { selector: "dt" })?.nextElementSibling?.textContent;
		expect([row("Work"), row("Message")]).toEqual(Array(2).fill("Answer the question below"));
		expect(row("Send to")).not.toContain("No one");
		const form = screen.getByRole("button", { name: "Edit in the form" });
		expect(form).toHaveProperty("disabled", true);
		fireEvent.click(screen.getByRole("radio", { name: "WhatsApp" }));
		expect(row("Message")).toContain(SAID);
		expect(row("Work")).toContain("no agent is needed");
		fireEvent.click(form);
		expect(forms[0]).toMatchObject({ writer: "person", text: SAID });
	});

	it("has no message if the result stays in the plan’s thread", async () => {
		open({ shouldCreateTask: true, task: { ...task, instructions: "Read", delivery: [] }, problems: [] });
		read();
		const draft = await screen.findByRole("region", { name: "Draft" });
		expect(draft.textContent).toContain("No one: the result stays in the plan’s thread");
		expect(within(draft).queryByText("Message", { selector: "dt" })).toBeNull();
	});

	it("drops the draft when the sentence changes, and fills the form with it on request", async () => {
		const { forms } = open(ready);
		read();
		fireEvent.click(await screen.findByRole("button", { name: "Edit in the form" }));
		expect(forms[0]).toMatchObject({ title: "Call mom", writer: "person", text: SAID, when: "once", exactly: AT });
		fireEvent.change(screen.getByRole("textbox"), { target: { value: "Something else" } });
		expect(screen.queryByRole("region", { name: "Draft" })).toBeNull();
		expect(screen.getByText(/The sentence has changed/)).toBeTruthy();
	});

	it("says why nothing is made of a sentence, and offers the form where no model is there", async () => {
		open({ shouldCreateTask: false, reason: "It only asks a question.", problems: [] });
		read();
		expect((await screen.findByRole("status")).textContent).toContain("It only asks a question.");
		cleanup();
		const { forms } = open(new Refused("EXTRACTION_UNAVAILABLE", "The assistant has no account."));
		read();
		expect((await screen.findByRole("alert")).textContent).toContain("Can’t create a plan from a sentence right now");
		fireEvent.click(screen.getByRole("button", { name: "Use the form" }));
		expect(forms).toEqual([undefined]);
	});

	it("says a refusal of the plan in its place, and keeps the draft", async () => {
		open(ready, { createPlan: new Refused("PLAN_CONFLICT", "This request made another plan.") });
		read();
		fireEvent.click(await screen.findByRole("button", { name: "Create plan" }));
		expect((await screen.findByRole("alert")).textContent).toContain("Already created with different details");
		expect(screen.getByRole("region", { name: "Draft" })).toBeTruthy();
	});
});
