import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type Channel, RequestId, type Timestamp } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import NewPlanPage from "../../../src/ui/new-plan/new-plan-page.tsx";
import { emptyDraft, missingOf, newPlanOf, scheduleOf, titleOf } from "../../../src/ui/new-plan/plan-draft.ts";
import { PlanSummary } from "../../../src/ui/new-plan/plan-summary.tsx";
import { provider, stateOf } from "../composer/composer-scene.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, contact, plan } from "../plan-stories.ts";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.useRealTimers();
	vi.unstubAllGlobals();
	sessionStorage.clear();
});

const places = {
	channels: {
		channels: [
			{ channel: "email", ready: true, settings: {}, secrets: [], owner: "me@example.org" },
			{ channel: "dashboard", ready: true, settings: {}, secrets: [] },
		],
	},
	contacts: { contacts: [contact] },
};

describe("a new plan", () => {
	const draft = { ...emptyDraft(new Date(2026, 10, 23), undefined), timezone: "Europe/Berlin" };

	it("is a cron expression of what was chosen", () => {
		expect(scheduleOf({ ...draft, every: "weekday", time: "09:30" })).toEqual({
			type: "recurring",
			timezone: "Europe/Berlin",
			cron: "30 9 * * 1-5",
		});
		expect(scheduleOf({ ...draft, every: "week", days: [5, 1], time: "07:05" }).cron).toBe("5 7 * * 1,5");
		expect(scheduleOf({ ...draft, every: "month", dayOfMonth: 1 }).cron).toBe("0 9 1 * *");
		expect(scheduleOf({ ...draft, when: "now" })).toEqual({ type: "immediate", timezone: "Europe/Berlin" });
		expect(scheduleOf({ ...draft, when: "once", date: "2026-12-24", time: "18:00" }).scheduledFor).toBe(
			new Date(2026, 11, 24, 18).toISOString(),
		);
	});

	it("[T2-16] sends a given text as it is, to each place, and asks no agent", () => {
		const text = "Don't forget\n  to call mom ";
		const made = newPlanOf({ ...draft, writer: "person", text }, RequestId.parse("r1"));
		expect(made.delivery).toEqual([{ channel: "dashboard", content: text }]);
		expect(made).toMatchObject({ instructions: "", work: [], requestId: "r1" });
		expect(made.routing).toBeUndefined();
	});

	it("has the beginning of what it does as its title, and says what is missing", () => {
		expect(titleOf({ ...draft, instructions: "Read the log\nand tell me" })).toBe("Read the log and tell me");
		expect(titleOf({ ...draft, title: " Log ", instructions: "x" })).toBe("Log");
		expect(missingOf(draft)).toEqual({ instructions: "Enter what should be done." });
		expect(Object.keys(missingOf({ ...draft, writer: "person", to: [] }))).toEqual(["text", "to"]);
	});

	it.each([
		[60_000, "A request is denied after 1 min without an answer."],
		[7_200_000, "A request is denied after 2 h without an answer."],
	])("says when a request of its agent is denied, as it is set: %s", async (approvalMs, words) => {
		fakeApp(places);
		const goose = provider("goose", true);
		const { capabilities, ...bridge } = stateOf({ ...goose, features: { ...goose.features, approvals: true } }).bridge;
		if (capabilities === undefined) throw new Error("no capabilities");
		const limited = { ...capabilities, limits: { ...capabilities.limits, approvalMs } };
		const asking = { ...draft, routing: { executionTarget: "agent", providerId: goose.providerId } as const };
		render(<PlanSummary draft={asking} channels={[]} />, {
			wrapper: new InApp({ ...appState, bridge: { ...bridge, capabilities: limited } }).wrapper,
		});
		expect(await screen.findByText(words)).toBeTruthy();
	});

	it("says of a given text without a place that one has to be chosen, not that it is sent", async () => {
		fakeApp(places);
		const given = { ...draft, writer: "person", text: "Hello", to: [] } as const;
		const { container } = render(<PlanSummary draft={given} channels={[]} />, { wrapper: new InApp().wrapper });
		expect(await screen.findByText("Choose where it goes.")).toBeTruthy();
		expect(container.textContent).not.toMatch(/is sent/);
	});

	const lastTest = { at: "2026-01-02T10:00:00.000Z" as Timestamp, tookMs: 9 };
	const problem = { code: "PROVIDER_AUTH_REQUIRED", message: "It isn't signed in.", fix: "Sign in." };

	it.each([
		[{}, "goose was found but not tested yet", false],
		[{ lastTest }, "goose is ready", true],
		[{ lastTest: { ...lastTest, problem } }, "goose failed its last test", false],
		[{ failedRun: { at: lastTest.at, problem } }, "goose is not ready; a run failed", false],
	])("calls an agent ready only once it has answered: %j", async (tested, words, isOk) => {
		fakeApp(places);
		const goose = { ...provider("goose", true), ...tested };
		const asking = { ...draft, routing: { executionTarget: "agent", providerId: goose.providerId } as const };
		render(<PlanSummary draft={asking} channels={[]} />, { wrapper: new InApp(stateOf(goose)).wrapper });
		const check = await screen.findByText(words);
		expect(check.closest("li")?.classList.contains("st-ok")).toBe(isOk);
	});

	it.each([
		[{}, "Email is set up, but hasn’t been tested since its last change", false],
		[{ tested: { at: AT, ok: false } }, "Email is set up but failed its last test", false],
		[
			{ tested: { at: AT, ok: false, problem: { code: "NO_ANSWER", message: "No answer.", fix: "Look." } } },
			"Email is set up, but it’s unknown whether its last test message arrived",
			false,
		],
		[{ tested: { at: AT, ok: true } }, "Email is set up", true],
		[{ channel: "dashboard" }, "Inbox is set up", true],
	])("says of a channel that is set up how its last test ended: %j", async (change, words, isOk) => {
		fakeApp(places);
		const channel = { channel: "email", ready: true, settings: {}, secrets: [], ...change } as Channel;
		const to = [{ key: 1, channel: channel.channel, recipient: "", subject: "", attach: false }];
		render(<PlanSummary draft={{ ...draft, to }} channels={[channel]} />, { wrapper: new InApp().wrapper });
		const check = await screen.findByText(words);
		expect(check.closest("li")?.classList.contains("st-ok")).toBe(isOk);
	});

	it("is made once by a press whose answer was lost, with the times that the bridge computed", async () => {
		const answers: unknown[] = [new Refused("APP_GONE", "The app does not respond.")];
		const calls = fakeApp({
			...places,
			planSchedule: { words: "every day at 09:00 (Berlin)", times: [{ at: "2099-11-24T08:00:00.000Z", note: "Clocks go back." }] },
			createPlan: () => answers.pop() ?? plan(),
		});
		render(<NewPlanPage />, { wrapper: new InApp().wrapper });
		fireEvent.click(screen.getByRole("radio", { name: /This exact text/ }));
		const create = screen.getByRole("button", { name: "Create plan" });
		fireEvent.click(create);
		expect(calls.filter(({ method }) => method === "createPlan")).toEqual([]);
		expect(screen.getByText("Enter the text.")).toBeTruthy();
		fireEvent.change(screen.getByRole("textbox", { name: "Text" }), { target: { value: "Hello" } });
		expect(await screen.findByText("Clocks go back.")).toBeTruthy();
		expect(screen.getByText(/Every day at 09:00/)).toBeTruthy();
		fireEvent.keyDown(screen.getByRole("textbox", { name: "Text" }), { key: "Enter", ctrlKey: true });
		await screen.findByText(/The app does not respond/);
		fireEvent.click(create);
		await waitFor(() => expect(location.hash).toBe("#/plans/p1"));
		// What was made is over: the same form, pressed again, makes another plan.
		fireEvent.click(create);
		const made = () => calls.filter(({ method }) => method === "createPlan").map(({ params }) => params.requestId);
		await waitFor(() => expect(made()).toHaveLength(3));
		const [first, second, third] = made();
		expect(first).toBe(second);
		expect(third).not.toBe(first);
	});

	it("says beside the date that it is missing, goes there, and asks the bridge nothing about a part of a schedule", async () => {
		vi.useFakeTimers({ shouldAdvanceTime: true });
		const calls = fakeApp({ ...places, planSchedule: { words: "once", times: [] } });
		render(<NewPlanPage />, { wrapper: new InApp().wrapper });
		fireEvent.click(screen.getByRole("radio", { name: /This exact text/ }));
		fireEvent.change(screen.getByRole("textbox", { name: "Text" }), { target: { value: "Hello" } });
		fireEvent.click(screen.getByRole("button", { name: "Once" }));
		const asked = () =>
			calls.filter(({ method, params }) => method === "planSchedule" && params.type === "scheduled").map(({ params }) => params);
		await waitFor(() => expect(asked()).toHaveLength(1));
		const missing = "Choose a date and a time.";
		for (const label of ["Date", "Time"]) {
			const field = screen.getByLabelText<HTMLInputElement>(label);
			const { value } = field;
			fireEvent.change(field, { target: { value: "" } });
			expect(screen.getByRole("complementary").textContent).toContain(missing);
			fireEvent.click(screen.getByRole("button", { name: "Create plan" }));
			await waitFor(() => expect(document.activeElement).toBe(field));
			expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toBe(missing);
			await vi.advanceTimersByTimeAsync(300);
			fireEvent.change(field, { target: { value } });
			expect(screen.queryByText(missing)).toBeNull();
		}
		expect(asked().every((one) => one.scheduledFor !== undefined)).toBe(true);
		expect(calls.filter(({ method }) => method === "createPlan")).toEqual([]);
	});

	it("says of a repeating plan without a time that it is missing, instead of taking midnight", async () => {
		const calls = fakeApp({ ...places, planSchedule: { words: "daily", times: [] } });
		render(<NewPlanPage />, { wrapper: new InApp().wrapper });
		fireEvent.click(screen.getByRole("radio", { name: /This exact text/ }));
		fireEvent.change(screen.getByRole("textbox", { name: "Text" }), { target: { value: "Hello" } });
		const field = screen.getByLabelText<HTMLInputElement>("Time");
		fireEvent.change(field, { target: { value: "" } });
		fireEvent.click(screen.getByRole("button", { name: "Create plan" }));
		await waitFor(() => expect(document.activeElement).toBe(field));
		expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toBe("Choose a time.");
		expect(calls.filter(({ method }) => method === "createPlan")).toEqual([]);
	});

	it.each([
		["a cron expression that never comes due", { every: "cron", cron: "0 0 30 2 *" }],
		["a time that has passed", { when: "once", date: "2020-01-01" }],
	] as const)("says nothing about when for a schedule that the bridge refuses: %s", async (_what, refused) => {
		fakeApp({ ...places, planSchedule: () => new Refused("PLAN_SCHEDULE_INVALID", "This schedule has no time.") });
		render(<PlanSummary draft={{ ...draft, ...refused }} channels={[]} />, { wrapper: new InApp().wrapper });
		await screen.findByText(/This schedule has no time/);
		const said = screen.getByRole("heading", { name: "In words" }).nextElementSibling?.textContent;
		expect(said).toMatch(/^.+ does the work and writes a message\. It goes to Inbox\.$/);
		expect(said).not.toContain("Now");
	});

	it("says of a plan without a schedule that it comes due now", () => {
		fakeApp({ ...places, planSchedule: () => new Promise(() => undefined) });
		render(<PlanSummary draft={{ ...draft, when: "now" }} channels={[]} />, { wrapper: new InApp().wrapper });
		expect(screen.getByText(/^Now, once: .+ It goes to Inbox\.$/)).toBeTruthy();
	});
});
