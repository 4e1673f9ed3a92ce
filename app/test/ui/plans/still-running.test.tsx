import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import type { Occurrence, ThreadId } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import type { ThreadSummary } from "../../../src/api/ui-api.ts";
import { occurrenceState } from "../../../src/ui/plan/occurrence-word.tsx";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { stagesOf } from "../../../src/ui/plan/plan-stages.ts";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, occurrence, plan } from "../plan-stories.ts";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const delivery = [action({ status: "failed", code: "CANCELLED" })];
const runs = [{ runId: "r1", threadId: "plan-p1", turnId: "p1-1-1" }] as Occurrence["runs"];
const cancelled = occurrence({ status: "cancelled", code: "CANCELLED", runs, delivery, deliverable: undefined, gate: undefined });
const once = plan({ type: "immediate", cron: undefined, nextDueAt: undefined, status: "completed", needsReview: 0, occurrence: cancelled });
const said = "The run was asked to stop, but hasn’t ended yet.";

const thread = (status: "running" | "queued" | "cancelled"): ThreadSummary =>
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

it("the work of a due time that was cancelled is under way on the rail only until its run has stopped", () => {
	const work = (run?: "stopping") => stagesOf(cancelled, run).find(({ name }) => name === "work")?.state;
	expect([work("stopping"), work()]).toEqual(["now", ""]);
});

it("nothing on the rail moves while the plan may be out of date", async () => {
	const here = show(<PlanPage planId="p1" hasHistory={false} />, [thread("running")]);
	const rail = await screen.findByRole("list", { name: "Progress" });
	expect(rail.className).not.toContain("still");
	act(() => here.app.set({ ...here.app.value, plans: { needsReview: 0, unread: 0, asOf: AT } }));
	expect(rail.className).toContain("still");
});

it("a due time whose run is queued, or not accepted yet, does not run", () => {
	const active = { threadId: "plan-p1", turnId: "p1-1-1", isAskedToStop: false, isQueued: true };
	const running = occurrence({ status: "running", runs, delivery: [], gate: undefined });
	const early = occurrence({ ...running, runs: [{ ...runs[0], runId: undefined }] });
	const word = (one: Occurrence, ...now: readonly (typeof active)[]) => occurrenceState(one, { active: now, asked: new Set() }).word;
	expect([word(running, active), word(running, { ...active, isQueued: false }), word(early)]).toEqual([
		"Queued",
		"Running",
		"Waiting to start",
	]);
	const states = (run: "queued" | "waiting") => stagesOf(running, run).map(({ name, state }) => `${name}:${state}`);
	expect([states("queued"), states("waiting")]).toEqual(Array(2).fill(["due:done", "work:"]));
});

it("the card of a plan whose run is queued says so", async () => {
	const queued = plan({ status: "running", needsReview: 0, occurrence: occurrence({ status: "running", runs, delivery: [] }) });
	fakeApp({
		planBook: { known: true, needsReview: 0, unread: 0, plans: [queued] },
		channels: { channels: [] },
		contacts: { contacts: [] },
	});
	render(<PlansPage />, { wrapper: new InApp({ ...appState, threads: [thread("queued")] }).wrapper });
	const card = await screen.findByRole("article", { name: "Supplier update" });
	expect(card.querySelector(".chip")?.textContent).toBe("Status: Queued");
});
