import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import type { Occurrence, ThreadId } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import type { ThreadSummary } from "../../../src/api/ui-api.ts";
import PlanPage from "../../../src/ui/plans/plan-page.tsx";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, occurrence, plan } from "../plan-stories.ts";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const delivery = [action({ status: "failed", code: "CANCELLED" })];
const runs = [{ runId: "r1", threadId: "plan-p1", turnId: "p1-1-1" }] as Occurrence["runs"];
const cancelled = occurrence({ status: "cancelled", code: "CANCELLED", runs, delivery, deliverable: undefined, gate: undefined });
const once = plan({ type: "immediate", cron: undefined, nextDueAt: undefined, status: "completed", needsReview: 0, occurrence: cancelled });
const said = "The agent was asked to stop, but is still working.";

const thread = (status: "running" | "cancelled"): ThreadSummary =>
	summary("plan-p1", 1, { lastTurn: { turnId: "p1-1-1", status, lastSeq: 3, createdAt: appState.serverTime } as never });

function show(part: React.ReactElement, threads: readonly ThreadSummary[]): InApp {
	fakeApp({
		...{ plan: once, planOccurrences: { items: [cancelled] }, channels: { channels: [] }, contacts: { contacts: [] } },
		planBook: { known: true, needsReview: 0, unread: 0, plans: [once] },
	});
	const here = new InApp({ ...appState, threads });
	render(part, { wrapper: here.wrapper });
	return here;
}

it("a plan's page says that cancelled work was asked to stop, and is not only cancelled, until its run has ended", async () => {
	const here = show(<PlanPage planId="p1" hasHistory />, [thread("running")]);
	await screen.findByText(said);
	expect(screen.getAllByText("Stop requested")).toHaveLength(3);
	expect(within(screen.getByRole("complementary", { name: "History" })).getByText("Stop requested")).toBeTruthy();
	act(() => here.app.set({ ...here.app.value, threads: [thread("cancelled")] }));
	expect([screen.queryByText(said), screen.queryByText("Stop requested")]).toEqual([null, null]);
	expect(screen.getAllByText("Cancelled").length).toBeGreaterThan(2);
});

it("the card of a plan says so too", async () => {
	const here = show(<PlansPage />, [thread("running")]);
	const card = await screen.findByRole("article", { name: "Supplier update" });
	expect(card.querySelector(".chip")?.textContent).toContain("Stop requested");
	act(() => here.app.set({ ...here.app.value, threads: [thread("cancelled")] }));
	await waitFor(() => expect(card.querySelector(".chip")?.textContent).toContain("Cancelled"));
});

it("the run of another turn in the plan's thread says nothing about the work", async () => {
	const other = { ...thread("running"), threadId: "other" as ThreadId };
	show(<PlanPage planId="p1" hasHistory={false} />, [other]);
	await screen.findByRole("heading", { name: "Delivery" });
	expect(screen.queryByText(said)).toBeNull();
});
