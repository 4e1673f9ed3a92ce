import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { PlanCard } from "../../../src/ui/plans/plan-card.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const delivery = [action({ status: "completed", code: undefined, completedAt: AT })];
const sent = occurrence({ occurrenceId: "p1-2", status: "completed", delivery });
const earlier = occurrence({ delivery: [action({ status: "unknown", code: "NO_ANSWER" })] });
/** Listed as "Unknown" because of an earlier due time; its newest one is done. */
const listed = plan({ delivery, occurrence: sent, needsReview: 1, unknownOutcomes: 1 });
const wrapper = () => ({ wrapper: new InApp().wrapper });

async function onPage(one: typeof listed, occurrences: readonly (typeof sent)[]) {
	fakeApp({ plan: one, planOccurrences: { items: occurrences }, channels: { channels: [] }, contacts: { contacts: [] } });
	render(<PlanPage planId="p1" hasHistory={false} />, wrapper());
	await screen.findByRole("region", { name: /:00/ });
}

describe("a plan that waits for the user because of an earlier due time", () => {
	it("says so on its card, which shows only the newest one", () => {
		render(<PlanCard plan={listed} nameOf={() => undefined} isAsking={false} openMenu={() => undefined} />, wrapper());
		expect(screen.getByRole("link", { name: "An earlier due time is waiting for you" }).getAttribute("href")).toBe("#/plans/p1");
	});

	it("leads to that due time on its page", async () => {
		await onPage(listed, [sent, earlier]);
		const link = screen.getByRole("link", { name: /, unknown$/ });
		expect(link.getAttribute("href")).toBe("#/plans/p1/p1-1");
		expect(link.parentElement?.textContent).toContain("Other due times that need your attention:");
	});

	it("leads to the history if that due time is not listed yet", async () => {
		await onPage(listed, [sent]);
		expect(screen.getByText("Other due times that need your attention:").querySelector("a")?.textContent).toBe("History");
	});

	it("leads to the history as well if the listed ones are not all that wait", async () => {
		await onPage({ ...listed, needsReview: 2 }, [sent, earlier]);
		const line = screen.getByText("Other due times that need your attention:");
		expect([...line.querySelectorAll("a")].map(({ textContent }) => textContent)).toEqual([
			expect.stringMatching(/, unknown$/),
			"older ones, in History",
		]);
		cleanup();
		await onPage(listed, [sent, earlier]);
		expect(screen.queryByText("older ones, in History")).toBeNull();
	});

	it("says nothing of others if the one that is shown is all that waits", async () => {
		const only = plan({ delivery: earlier.delivery, occurrence: earlier, needsReview: 1, unknownOutcomes: 1 });
		await onPage(only, [earlier]);
		expect(screen.queryByText("Other due times that need your attention:")).toBeNull();
		cleanup();
		render(<PlanCard plan={only} nameOf={() => undefined} isAsking={false} openMenu={() => undefined} />, wrapper());
		expect(screen.queryByText("An earlier due time is waiting for you")).toBeNull();
	});
});
