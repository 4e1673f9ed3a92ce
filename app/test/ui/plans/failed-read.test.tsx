import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, contact, occurrence, plan } from "../plan-stories.ts";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** A page about a plan whose message is decided on while reads fail. */
async function open(page: ReactElement) {
	const now = { occurrence: occurrence(), isOffline: false };
	const counts = { needsReview: 1, unread: 0 };
	const current = () => {
		const { delivery, status, revision } = now.occurrence;
		return plan({ occurrence: now.occurrence, delivery, status, lastSeq: revision });
	};
	const reach = <T,>(answer: () => T) => {
		return () => {
			if (now.isOffline) throw new TypeError("Failed to fetch");
			return answer();
		};
	};
	fakeApp({
		plan: reach(current),
		planOccurrences: reach(() => ({ items: [now.occurrence] })),
		planBook: reach(() => ({ ...counts, known: true, plans: [current()] })),
		contacts: reach(() => ({ contacts: [contact] })),
		channels: reach(() => ({ channels: [] })),
	});
	const here = new InApp({ ...appState, plans: counts });
	render(page, { wrapper: here.wrapper });
	await screen.findAllByText("Needs review");
	expect(document.querySelector("main")?.textContent).not.toMatch(/as of/i);
	now.isOffline = true;
	now.occurrence = occurrence({ status: "failed", revision: 5, delivery: [action({ status: "failed", code: "DISCARDED" })] });
	act(() => {
		const { count, of } = here.appLink.planNews.value;
		here.appLink.planNews.set({ count: count + 1, of: { ...of, p1: (of.p1 ?? 0) + 1 } });
	});
	await screen.findByRole("alert");
	return now;
}

/** Waits until the page is current again, without a press. */
async function isCurrent(now: { isOffline: boolean }) {
	now.isOffline = false;
	await waitFor(() => expect(screen.queryByRole("alert")).toBeNull(), { timeout: 5_000 });
	const said = document.querySelector("main")?.textContent ?? "";
	expect([said.includes("Needs review"), /as of/i.test(said)]).toEqual([false, false]);
}

it("a plan's page whose change couldn't be loaded dates what it shows, and loads the change by itself", async () => {
	const now = await open(<PlanPage planId="p1" hasHistory={false} />);
	expect(screen.getByText(/^As of \d+:\d\d\. Newer changes couldn’t be loaded yet\.$/)).toBeTruthy();
	expect(screen.getAllByText(/^Needs review as of \d+:\d\d$/).length).toBeGreaterThan(0);
	expect(screen.queryByText("Needs review")).toBeNull();
	await isCurrent(now);
});

it("the list of plans whose change couldn't be loaded dates its states, and loads the change by itself", async () => {
	const now = await open(<PlansPage />);
	expect(screen.getByText(/^As of \d+:\d\d$/)).toBeTruthy();
	expect(screen.getAllByText(/^Needs review as of \d+:\d\d$/).length).toBeGreaterThan(0);
	expect(screen.queryByText("Needs review")).toBeNull();
	await isCurrent(now);
});
