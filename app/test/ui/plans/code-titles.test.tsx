import { cleanup, render, screen } from "@testing-library/react";
import { PlanUpdate } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { logOfUpdates } from "../../../src/ui/plan-log/log-of-updates.ts";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, contact, occurrence, plan, preview } from "../plan-stories.ts";

const held = action({ code: "RETRIES_EXHAUSTED", attempts: 8, message: "The last error was: no route to the mail server." });
const one = occurrence({ delivery: [held] });

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const pages: readonly (readonly [string, () => React.ReactNode])[] = [
	["the list of plans", () => <PlansPage />],
	["a plan's page", () => <PlanPage planId="p1" hasHistory />],
	["the review", () => <ReviewPage planId="p1" occurrenceId="p1-1" />],
];

it.each(pages)("the title of a message's code says how often it was tried: %s", async (_, Page) => {
	const shown = plan({ delivery: one.delivery, occurrence: one });
	fakeApp({
		plan: shown,
		planBook: { known: true, needsReview: 1, unread: 0, plans: [shown] },
		planOccurrences: { items: [one] },
		contacts: { contacts: [contact] },
		channels: { channels: [] },
		previewMessage: preview,
	});
	const { container } = render(<Page />, { wrapper: new InApp().wrapper });
	expect((await screen.findAllByText(/Gave up after 8 attempts/)).length).toBeGreaterThan(0);
	expect(container.textContent).not.toMatch(/[{}]/);
});

it("the title of a message's code says how often it was tried: the log of updates", () => {
	const update = { kind: "task:review", occurrence: one, action: held };
	const said = logOfUpdates([PlanUpdate.parse({ planId: "p1", seq: 1, feedSeq: 1, at: AT, status: "needs_review", update })]);
	expect(said[0]?.say).toBe("Email: Gave up after 8 attempts");
});
