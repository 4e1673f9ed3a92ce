import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import NewPlanPage from "../../../src/ui/new-plan/new-plan-page.tsx";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { contact, occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	sessionStorage.clear();
	location.hash = "";
});

const unavailable = { code: "CHANNEL_NOT_SET_UP", message: "Email has no server.", fix: "Set up email." };
const email = { channel: "email", ready: false, settings: {}, secrets: [], unavailable };
const places = {
	channels: { channels: [email, { channel: "dashboard", ready: true, settings: {}, secrets: [] }] },
	contacts: { contacts: [contact] },
};

it("says that a channel of a plan is not ready, and where to set it up, as long as the plan may send", async () => {
	const answers = { ...places, planOccurrences: { items: [occurrence()] } };
	fakeApp({ ...answers, plan: plan() });
	const { unmount } = render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
	const note = await screen.findByText(/Email isn’t ready, so nothing can be sent through it until it is\. Email has no server\./);
	expect(within(note).getByRole("link", { name: "Set up Email" }).getAttribute("href")).toBe("#/settings/channels");
	unmount();
	const calls = fakeApp({ ...answers, plan: plan({ status: "completed", nextDueAt: undefined }) });
	render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
	await screen.findByText("Supplier update");
	await waitFor(() => expect(calls.map(({ method }) => method)).toContain("channels"));
	expect(screen.queryByText(/isn’t ready/)).toBeNull();
});

it("says in the form why nothing can be sent with a channel that is not ready, and makes the plan all the same", async () => {
	const calls = fakeApp({ ...places, planSchedule: { words: "every day at 09:00", times: [] }, createPlan: plan() });
	render(<NewPlanPage />, { wrapper: new InApp().wrapper });
	fireEvent.click(screen.getByRole("radio", { name: /This exact text/ }));
	fireEvent.change(screen.getByRole("textbox", { name: "Text" }), { target: { value: "Hello" } });
	await waitFor(() => expect(calls.map(({ method }) => method)).toContain("channels"));
	fireEvent.change(screen.getByRole("combobox", { name: "Channel" }), { target: { value: "email" } });
	expect(await screen.findAllByText(/^Email isn’t ready, so nothing can be sent through it until it is\./)).toHaveLength(2);
	expect(screen.getByText(/Email has no server\./)).toBeTruthy();
	fireEvent.click(screen.getByRole("button", { name: "Create plan" }));
	await waitFor(() => expect(location.hash).toBe("#/plans/p1"));
});
