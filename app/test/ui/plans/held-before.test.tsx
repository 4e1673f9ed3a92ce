import { cleanup, render, screen } from "@testing-library/react";
import { errorCatalogue } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, contact, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** The codes whose fix named a method of the bridge, each with that fix as the store has it, and as it was before that. */
const stored = [
	["RECIPIENT_UNKNOWN", "Add the contact with xworkmate.contacts.put, or specify another."],
	["RECIPIENT_UNKNOWN", "Add the contact with xworkmate.contacts.put, or name another."],
	["CHANNEL_UNAVAILABLE", "Set up the channel with xworkmate.channels.configure."],
	["CHANNEL_UNAVAILABLE", "Set it up with xworkmate.channels.configure."],
] as const;

function open(code: (typeof stored)[number][0], fix: string, Page: () => React.ReactNode) {
	const held = action({ status: "needs_review", code, fix });
	const one = occurrence({ status: "needs_review", delivery: [held] });
	fakeApp({
		plan: plan({ status: "needs_review", needsReview: 1, delivery: [held], occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [contact] },
		channels: { channels: [] },
		previewMessage: preview,
	});
	return render(<Page />, { wrapper: new InApp().wrapper });
}

it.each(stored)("says on a plan's page where to mend what holds an older message (%s)", async (code, fix) => {
	const { container } = open(code, fix, () => <PlanPage planId="p1" hasHistory={false} />);
	const region = await screen.findByRole("region", { name: /:00/ });
	expect(region.textContent).toContain(errorCatalogue[code].fix);
	expect(container.textContent).not.toContain("xworkmate.");
});

it.each(stored)("says at the review where to mend what holds an older message (%s)", async (code, fix) => {
	const { container } = open(code, fix, () => <ReviewPage planId="p1" occurrenceId="p1-1" />);
	await screen.findByText(errorCatalogue[code].fix);
	expect(container.textContent).not.toContain("xworkmate.");
});

it("shows any other fix of a message as it is stored", async () => {
	const own = "Check the password, then send it again.";
	open("CHANNEL_UNAVAILABLE", own, () => <ReviewPage planId="p1" occurrenceId="p1-1" />);
	expect(await screen.findByText(own)).toBeTruthy();
});
