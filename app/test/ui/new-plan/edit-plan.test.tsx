import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { NewDelivery, type Plan, PlanChange, Routing } from "@xworkmate/contracts";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { repeatOf } from "../../../src/ui/new-plan/cron-choice.ts";
import { differingParts } from "../../../src/ui/new-plan/differing-parts.ts";
import EditPlanPage from "../../../src/ui/new-plan/edit-plan-page.tsx";
import { formOfPlan } from "../../../src/ui/new-plan/form-of-plan.ts";
import { changeOf, differences } from "../../../src/ui/new-plan/plan-change.ts";
import { cronOf, emptyDraft, newPlanOf } from "../../../src/ui/new-plan/plan-draft.ts";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, contact, occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	location.hash = "";
});
const now = new Date(2026, 10, 23);

it("shows every schedule that the form can make as the choice that it was made by, and keeps all others as they are", () => {
	const time = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) });
	const every = fc.constantFrom("hour", "day", "weekday", "week", "month");
	fc.assert(
		fc.property(
			every,
			time,
			fc.integer({ min: 1, max: 31 }),
			fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
			(kind, at, date, days) => {
				const two = (value: number) => String(value).padStart(2, "0");
				const draft = {
					...emptyDraft(now, undefined),
					every: kind as never,
					time: `${two(at.hour)}:${two(at.minute)}`,
					dayOfMonth: date,
					days,
				};
				const cron = cronOf(draft);
				expect(cronOf({ ...draft, ...repeatOf(cron) })).toBe(cron);
				expect(repeatOf(cron).every).toBe(kind);
			},
		),
	);
	for (const cron of ["*/5 * * * *", "0 9 * 1 *", "@daily", "0 9 1 * 1", "0 24 * * *", "0 9 0 * *", "60 9 * * *"])
		expect(repeatOf(cron).every).toBe("cron");
});

it("changes only what was changed, and takes nothing away that the form has no field for", () => {
	const mixed = plan({
		delivery: [
			{ channel: "email", content: "Mine", actionId: "p1-1-1", status: "pending", attempts: 0 },
			{ channel: "dashboard", actionId: "p1-1-2", status: "pending", attempts: 0 },
		],
		work: [
			{ description: "Read", status: "pending" },
			{ description: "Write", status: "pending" },
		],
	});
	const form = formOfPlan(mixed, now);
	expect(changeOf(form, form)).toEqual({});
	expect(changeOf(form, { ...form, title: "Other" })).toEqual({ title: "Other" });
	expect(newPlanOf(form, "r" as never)).toMatchObject({
		work: [{ description: "Read" }, { description: "Write" }],
		delivery: [{ channel: "email", content: "Mine" }, { channel: "dashboard" }],
	});
	expect(changeOf(form, { ...form, time: "10:00" })).toEqual({ cron: "0 10 * * 3" });
});

it("saves under the revision that was read, and shows what was changed elsewhere before it saves over it", async () => {
	const theirs = plan({ revision: 2, title: "Renamed elsewhere" });
	const reads = [plan()];
	const saves: unknown[] = [new Refused("REVISION_CONFLICT", "The plan has another revision.")];
	const calls = fakeApp({
		plan: () => reads.pop() ?? theirs,
		channels: { channels: [] },
		contacts: { contacts: [contact] },
		planSchedule: { words: "every Wednesday", times: [] },
		updatePlan: () => saves.pop() ?? theirs,
	});
	render(<EditPlanPage planId="p1" />, { wrapper: new InApp().wrapper });
	fireEvent.change(await screen.findByRole("textbox", { name: "Work" }), { target: { value: "Summarise shortly" } });
	fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
	const conflict = await screen.findByRole("region", { name: "Changed elsewhere" });
	expect(conflict.textContent).toContain("Title: Supplier update → Renamed elsewhere");
	fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
	await waitFor(() => expect(location.hash).toBe("#/plans/p1"));
	const sent = calls.filter(({ method }) => method === "updatePlan").map(({ params }) => params);
	expect(sent.map(({ revision }) => revision)).toEqual([1, 2]);
	expect(sent[1]?.change).toMatchObject({ instructions: "Summarise shortly" });
	expect(sent[1]?.change).not.toHaveProperty("title");
});

it.each(["paused", "pending"] as const)("says of a plan whether the next times are only those once it is resumed: %s", async (status) => {
	fakeApp({
		plan: plan({ status }),
		channels: { channels: [] },
		contacts: { contacts: [contact] },
		planSchedule: { words: "every Wednesday", times: [{ at: "2126-11-25T02:00:00.000Z" }] },
	});
	render(<EditPlanPage planId="p1" />, { wrapper: new InApp().wrapper });
	const times = (await screen.findByRole("heading", { name: /^Next five times/ })).parentElement;
	await waitFor(() => expect(times?.querySelectorAll("li")).toHaveLength(1));
	expect(times?.textContent?.includes("This plan is paused. It won’t become due until you resume it.")).toBe(status === "paused");
});

it("fills in what the plan asks for, whatever its newest messages are, and saves nothing of those", async () => {
	const terms = {
		work: [{ description: "Summarise open orders" }],
		delivery: [{ channel: "email", recipient: "anna" }, { channel: "dashboard" }],
	};
	const again = occurrence({ kind: "resend", delivery: [action({ recipient: "carl", content: "As it was resent" })] });
	const resent = plan({ terms, work: again.work, delivery: again.delivery, occurrence: again });
	const calls = fakeApp({
		plan: resent,
		planOccurrences: { items: [again] },
		channels: { channels: ["email", "dashboard"].map((channel) => ({ channel, ready: true, settings: {}, secrets: [], owner: "me" })) },
		contacts: { contacts: [contact, { ...contact, contactId: "carl", name: "Carl" }] },
		planSchedule: { words: "every Wednesday", times: [] },
		updatePlan: resent,
	});
	const shown = render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
	const sendsTo = (await screen.findByText("Sends to")).nextElementSibling;
	await waitFor(() => expect(sendsTo?.textContent).toBe("Emailto AnnaInbox"));
	shown.unmount();
	render(<EditPlanPage planId="p1" />, { wrapper: new InApp().wrapper });
	fireEvent.change(await screen.findByRole("textbox", { name: "Work" }), { target: { value: "Summarise shortly" } });
	expect(screen.getAllByRole("combobox", { name: "Channel" }).map((box) => (box as HTMLSelectElement).value)).toEqual([
		"email",
		"dashboard",
	]);
	fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
	await waitFor(() => expect(calls.map(({ method }) => method)).toContain("updatePlan"));
	expect(calls.find(({ method }) => method === "updatePlan")?.params.change).not.toHaveProperty("delivery");
});

it("names a recipient that was changed elsewhere, and none that only a resend went to", () => {
	const terms = (recipient: string) => ({ work: [], delivery: [{ channel: "email", recipient }] });
	const resent = { work: [], delivery: [action({ recipient: "carl" })] };
	const was = plan({ ...resent, terms: terms("anna") });
	expect(differences(was, plan({ terms: terms("anna"), work: [] }))).toEqual([]);
	expect(differences(was, plan({ ...resent, terms: terms("ben") }))).toEqual([
		{ name: "delivery", before: "email anna", after: "email ben" },
	]);
});

const message = { channel: "email", recipient: "anna", subject: "Orders", attach: true, content: "Mine" };
const edited = {
	...{ title: "Orders", instructions: "Read", work: [{ description: "Read" }], delivery: [message], scheduledFor: AT, cron: "0 9 * * 3" },
	...{ timezone: "Asia/Bangkok", routing: { executionTarget: "agent", providerId: "codex", model: "one" }, workingDirectory: "/a" },
	...{ overlap: "skip", catchUp: 3_600_000, conversation: "fresh", whenDeclined: "review" },
};
const other: { readonly [name: string]: unknown } = {
	...{
		title: "Late orders",
		instructions: "Write",
		work: [{ description: "Write" }],
		delivery: [],
		scheduledFor: "2026-11-23T09:00:30.000Z",
	},
	...{ cron: "0 9 * * wed", timezone: "UTC", routing: undefined, workingDirectory: "/b", overlap: "queue", catchUp: 0 },
	...{ conversation: "continue", whenDeclined: "stay_quiet" },
	...{ channel: "dashboard", recipient: "ben", subject: "Late orders", attach: false, content: "" },
	...{ executionTarget: "gateway", providerId: "claude", model: "two" },
};
/** A plan whose terms these are; its newest message is another one. */
const termed = ({ work, delivery, ...rest }: { readonly [name in keyof typeof edited]: unknown }): Plan =>
	plan({ ...rest, terms: { work, delivery } });

it.each([
	// Of a plan's members, the form has no field for its rules, and a change leaves those alone.
	...Object.keys(PlanChange.shape)
		.filter((name) => name !== "permissions")
		.map((name) => [name, name, { ...edited, [name]: other[name] }] as const),
	...Object.keys(NewDelivery.shape).map(
		(part) => [`delivery’s ${part}`, "delivery", { ...edited, delivery: [{ ...message, [part]: other[part] }] }] as const,
	),
	...Object.keys(Routing.shape).map(
		(part) => [`routing’s ${part}`, "routing", { ...edited, routing: { ...edited.routing, [part]: other[part] } }] as const,
	),
])("names what was changed elsewhere and a save would overwrite: the %s", (_, name, changed) => {
	const found = differences(termed(edited), termed(changed));
	expect(found.map((one) => one.name)).toEqual([name]);
	for (const { before, after } of found) expect(before).not.toBe(after);
});

it("says of a message and of its agent in full what was changed", () => {
	const said = (change: object) =>
		differences(termed(edited), termed({ ...edited, ...change })).map(({ before, after }) => [before, after]);
	const whole = "email anna, subject “Orders”, with the run’s files, text “Mine”";
	expect(said({ delivery: [{ ...message, subject: "Late orders", attach: false }, { channel: "dashboard" }] })).toEqual([
		[whole, "email anna, subject “Late orders”, text “Mine”"],
		["", "dashboard"],
	]);
	expect(said({ routing: { ...edited.routing, model: "two" } })).toEqual([["codex, model one", "codex, model two"]]);
});

it("shows a difference that is far into a long text, or only in its line breaks", async () => {
	const theirs = plan({ revision: 2, title: "Supplier update", instructions: `${"Read all. ".repeat(30)}Then send it.` });
	const reads = [plan({ instructions: `${"Read all. ".repeat(30)}Then stop.` })];
	const saves: unknown[] = [new Refused("REVISION_CONFLICT", "The plan has another revision.")];
	fakeApp({
		plan: () => reads.pop() ?? theirs,
		channels: { channels: [] },
		contacts: { contacts: [contact] },
		planSchedule: { words: "every Wednesday", times: [] },
		updatePlan: () => saves.pop() ?? theirs,
	});
	render(<EditPlanPage planId="p1" />, { wrapper: new InApp().wrapper });
	fireEvent.change(await screen.findByRole("textbox", { name: "Work" }), { target: { value: "Summarise shortly" } });
	fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
	const conflict = await screen.findByRole("region", { name: "Changed elsewhere" });
	expect(conflict.textContent).toMatch(/Work: ….*Then stop\. → ….*Then send it\./);
	expect(differingParts("Read\nand write", "Read and write", 120)).toEqual(["Read⟨U+000A⟩and write", "Read and write"]);
	expect(differingParts("one", "two", 120)).toEqual(["one", "two"]);
	const long = "😀".repeat(200);
	expect(differingParts(`a${long}`, `b${long}`, 120)).toEqual([`a${"😀".repeat(118)}…`, `b${"😀".repeat(118)}…`]);
});
