import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const why = "This plan’s earlier work or messages hadn’t been completed.";
const delivery = [action({ status: "failed", code: "CANCELLED" })];
const skipped = occurrence({ status: "skipped", code: "OVERLAP", runs: [], delivery, deliverable: undefined, gate: undefined });

it("a plan's page says why a due time was skipped, beside it and in the history", async () => {
	const one = plan({ status: "running", needsReview: 0, occurrence: skipped, delivery });
	fakeApp({ plan: one, planOccurrences: { items: [skipped] }, channels: { channels: [] }, contacts: { contacts: [] } });
	render(<PlanPage planId="p1" hasHistory />, { wrapper: new InApp().wrapper });
	const history = await screen.findByRole("complementary", { name: "History" });
	expect(within(history).getByText(why)).toBeTruthy();
	expect(screen.getAllByText(why)).toHaveLength(2);
	expect(within(history).queryByText(/cancelled/i)).toBeNull();
});

it.each([
	["running", "Running"],
	["completed", "Skipped"],
] as const)(
	"a card says which due time was skipped and why, above its messages, and calls no skipped plan completed: %s",
	async (status, chip) => {
		const one = plan({ status, needsReview: 0, occurrence: skipped, delivery });
		fakeApp({ planBook: { known: true, needsReview: 0, unread: 0, plans: [one] }, channels: { channels: [] }, contacts: { contacts: [] } });
		render(<PlansPage />, { wrapper: new InApp().wrapper });
		const card = await screen.findByRole("article", { name: "Supplier update" });
		expect(card.querySelector(".chip")?.textContent).toContain(chip);
		const said = within(card).getByText(new RegExp(`^Skipped: .+:00. ${why}$`));
		expect(said.compareDocumentPosition(within(card).getByText("Cancelled")) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
	},
);

it("a card counts the attempts that were made beside the time of the next one", async () => {
	const retrying = [action({ status: "pending", code: undefined, attempts: 3, notBefore: "2026-11-23T10:05:00.000Z" })];
	const one = plan({ status: "running", delivery: retrying, occurrence: occurrence({ status: "delivering", delivery: retrying }) });
	fakeApp({ planBook: { known: true, needsReview: 0, unread: 0, plans: [one] }, channels: { channels: [] }, contacts: { contacts: [] } });
	render(<PlansPage />, { wrapper: new InApp().wrapper });
	const card = await screen.findByRole("article", { name: "Supplier update" });
	expect(card.textContent).toContain("3 of 8 attempts made");
});
