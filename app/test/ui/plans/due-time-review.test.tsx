import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { HeldPlans } from "../../../src/ui/pages/held-plans.tsx";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	untold.set([]);
});

const work = [{ description: "Summarise open orders", status: "pending" }];
const missed = occurrence({ code: "MISSED", runs: [], work, delivery: [], gate: undefined, deliverable: undefined });
const one = plan({ delivery: [], occurrence: missed });
const places = { channels: { channels: [] }, contacts: { contacts: [] }, planOccurrences: { items: [missed] }, plan: one };

it("the list of what waits counts due times for a plan that sends no messages, because there is no message to review", async () => {
	fakeApp({ ...places, planBook: { known: true, needsReview: 1, unread: 0, plans: [one] } });
	render(<HeldPlans />, { wrapper: new InApp().wrapper });
	expect(await screen.findByText("1 due time to review")).toBeTruthy();
});

it.each([
	["Do the work now", "rerun", true, "The work is starting."],
	["Discard", "discard", true, "The due time was discarded."],
	["Discard", "discard", false, "A decision about this due time was made in the meantime."],
])("a plan's page says why a due time without messages waits, and decides about it: %s", async (name, decision, applied, said) => {
	const calls = fakeApp({ ...places, reviewMessage: { occurrence: missed, applied } });
	render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
	await screen.findByText("Missed while the plan was paused.");
	fireEvent.click(screen.getByRole("button", { name }));
	await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual([said]));
	const [sent] = calls.filter(({ method }) => method === "reviewMessage").map(({ params }) => params);
	expect(sent).toEqual({ occurrenceId: "p1-1", revision: 4, decision });
});
