import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { remove } from "../../../src/ui/plans/plan-actions.ts";
import { PlanMenu } from "../../../src/ui/plans/plan-menu.tsx";
import { openPlanMenu, planMenu } from "../../../src/ui/plans/plan-menu-state.ts";
import { route } from "../../../src/ui/state/route.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, occurrence, plan } from "../plan-stories.ts";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	planMenu.set(undefined);
});

/** Opens the question of a plan's menu whose open due times are these. */
async function askedToCancel(items: readonly unknown[]) {
	const calls = fakeApp({ planOccurrences: { items }, cancelPlan: plan() });
	const frame = document.createElement("div");
	frame.className = "frame";
	const button = document.createElement("button");
	document.body.replaceChildren(frame, button);
	planMenu.set({ plan: plan({ needsReview: 2 }), button, isOpen: true });
	render(<PlanMenu />, { wrapper: new InApp().wrapper });
	fireEvent.click(await screen.findByRole("menuitem", { name: "Cancel pending work…" }));
	return { dialog: await screen.findByRole("alertdialog"), calls };
}

it("says what a cancel drops before it asks, and drops nothing until then", async () => {
	const held = action({ status: "needs_review" });
	const { dialog, calls } = await askedToCancel([
		occurrence({ status: "needs_review", delivery: [held, held] }),
		occurrence({ status: "completed", delivery: [held] }),
	]);
	expect(dialog.textContent).toContain("2 messages that need your review won’t be sent.");
	expect(dialog.textContent).toContain("The schedule is kept.");
	expect(calls.map(({ method }) => method)).not.toContain("cancelPlan");
	fireEvent.click(within(dialog).getByRole("button", { name: "Cancel pending work" }));
	await waitFor(() => expect(calls.map(({ method }) => method)).toContain("cancelPlan"));
});

it("offers no cancel where nothing is pending any more", async () => {
	const { dialog } = await askedToCancel([occurrence({ status: "completed" })]);
	expect(dialog.textContent).toContain("This plan has nothing pending.");
	expect(within(dialog).queryByRole("button", { name: "Cancel pending work" })).toBeNull();
});

it("lets a plan for one time be resumed: a restore paused it", async () => {
	const { nextDueAt: _none, ...once } = plan({ type: "scheduled" });
	const calls = fakeApp({ resumePlan: once });
	const frame = document.createElement("div");
	frame.className = "frame";
	const button = document.createElement("button");
	document.body.replaceChildren(frame, button);
	planMenu.set({ plan: plan({ type: "scheduled", status: "paused" }), button, isOpen: true });
	render(<PlanMenu />, { wrapper: new InApp().wrapper });
	fireEvent.click(await screen.findByRole("menuitem", { name: "Resume" }));
	await waitFor(() => expect(calls.map(({ method }) => method)).toContain("resumePlan"));
	// The bridge would refuse to pause it again.
	await waitFor(() => expect(untold.value).toHaveLength(1));
	expect(untold.value[0]).not.toHaveProperty("undo");
	untold.set([]);
});

it("offers the thread of a plan once there is one", async () => {
	fakeApp({});
	const button = document.createElement("button");
	const frame = document.createElement("div");
	frame.className = "frame";
	document.body.replaceChildren(frame, button);
	planMenu.set({ plan: plan(), button, isOpen: true });
	const here = new InApp({ ...appState, threads: [] });
	render(<PlanMenu />, { wrapper: here.wrapper });
	await screen.findByRole("menuitem", { name: "Run now" });
	expect(screen.queryByRole("menuitem", { name: "Open thread" })).toBeNull();
	act(() => here.app.set({ ...appState, threads: [summary("plan-p1", 1)] }));
	expect(screen.getByRole("menuitem", { name: "Open thread" })).toBeTruthy();
});

it("closes when the user goes to another page, with the question that it asked", async () => {
	fakeApp({});
	const button = document.createElement("button");
	const frame = document.createElement("div");
	frame.className = "frame";
	document.body.replaceChildren(frame, button);
	render(<PlanMenu />, { wrapper: new InApp().wrapper });
	const goAway = () => act(() => route.set({ page: "plan", planId: "p2" }));
	act(() => openPlanMenu(plan(), button));
	await screen.findByRole("menuitem", { name: "Run now" });
	goAway();
	await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
	act(() => openPlanMenu(plan(), button));
	fireEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
	await screen.findByRole("alertdialog");
	goAway();
	await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
	act(() => openPlanMenu(plan({ title: "Another plan" }), button));
	await screen.findByRole("menu", { name: /Another plan/ });
	expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("offers no pause for a plan that has no more due times", async () => {
	fakeApp({});
	const button = document.createElement("button");
	const frame = document.createElement("div");
	frame.className = "frame";
	document.body.replaceChildren(frame, button);
	planMenu.set({ plan: plan({ status: "completed", nextDueAt: undefined }), button, isOpen: true });
	render(<PlanMenu />, { wrapper: new InApp().wrapper });
	await screen.findByRole("menuitem", { name: "Run now" });
	expect(screen.queryByRole("menuitem", { name: "Pause" })).toBeNull();
	act(() => planMenu.set({ plan: plan(), button, isOpen: true }));
	expect(screen.getByRole("menuitem", { name: "Pause" })).toBeTruthy();
});

it.each([
	["running", "completed", "“Supplier update” was deleted. Its agent was asked to stop."],
	["skipped", "running", "“Supplier update” was deleted. Its agent was asked to stop."],
	["waiting", "completed", "“Supplier update” was deleted."],
	["completed", "completed", "“Supplier update” was deleted."],
])("says what becomes of the work of a plan that is deleted: %s, after one that is %s", async (status, earlier, said) => {
	const notBegun = { status: "running", runs: [{ threadId: "plan-p1", turnId: "p1-2-1" }] };
	const newest = occurrence({ occurrenceId: "p1-2", ...(status === "waiting" ? notBegun : { status }) });
	const items = [newest, occurrence({ status: earlier })];
	fakeApp({
		planOccurrences: ({ limit }: { readonly limit: number }) => ({ items: items.slice(0, limit) }),
		deletePlan: plan({ status: "deleted" }),
	});
	untold.set([]);
	await remove(plan());
	expect(untold.value.map(({ text }) => text)).toEqual([said]);
	untold.set([]);
});
