import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plans/plan-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const why = "This plan’s earlier work wasn’t finished, or its messages weren’t sent.";
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
