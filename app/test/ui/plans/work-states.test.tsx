import { cleanup, render, screen, within } from "@testing-library/react";
import type { Occurrence, WorkItem } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, occurrence, plan } from "../plan-stories.ts";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const work: readonly WorkItem[] = [{ description: "Summarise open orders", status: "pending" }];
const begun = [{ runId: "r1", threadId: "plan-p1", turnId: "p1-1-1" }];
const dropped = [action({ status: "failed", code: "CANCELLED" })];
const waiting = [action({ status: "pending", code: undefined })];

/** How the work's state is shown on the plan's page and on its card. */
async function shown(change: object, status: string): Promise<readonly (Element | null | undefined)[]> {
	const one = occurrence({ work, gate: undefined, deliverable: undefined, ...change });
	const made = plan({ status, needsReview: 0, work: one.work, delivery: one.delivery, occurrence: one });
	const api = { plan: made, planOccurrences: { items: [one] }, channels: { channels: [] }, contacts: { contacts: [] } };
	fakeApp({ ...api, planBook: { known: true, needsReview: 0, unread: 0, plans: [made] } });
	const page = render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
	const heading = await screen.findByRole("heading", { name: "Work" });
	const onPage = heading.parentElement?.querySelector(".st");
	page.unmount();
	render(<PlansPage />, { wrapper: new InApp().wrapper });
	const card = await screen.findByRole("article", { name: "Supplier update" });
	return [onPage, within(card).getByText("Summarise open orders").parentElement?.querySelector(".st")];
}

async function said(change: object, status: string): Promise<readonly (string | null | undefined)[]> {
	return (await shown(change, status)).map((state) => state?.textContent);
}

it("work that is reported as done is not shown as verified", async () => {
	const states = await shown({ work: [{ ...work[0], status: "completed" }], runs: begun }, "completed");
	expect(states.map((state) => [state?.textContent, state?.className])).toEqual(Array(2).fill(["Run finished", "st st-off"]));
});

it.each<[string, Partial<Record<keyof Occurrence, unknown>>, string]>([
	["In progress", { status: "running", runs: begun, delivery: waiting }, "running"],
	["Waiting to start", { status: "running", runs: [{ ...begun[0], runId: undefined }], delivery: waiting }, "running"],
	["Skipped", { status: "skipped", code: "OVERLAP", runs: [], delivery: dropped }, "pending"],
	["Cancelled", { status: "cancelled", code: "CANCELLED", runs: begun, delivery: dropped }, "completed"],
	["Cancelled", { status: "cancelled", code: "CANCELLED", runs: [], delivery: dropped }, "completed"],
	["Not done", { status: "failed", runs: [], delivery: [action({ status: "failed", code: "DISCARDED" })] }, "failed"],
	["To do", { status: "due", runs: [], delivery: waiting }, "running"],
])("a plan's page and card say “%s” of work for a due time that is %j", async (word, change, status) => {
	expect(await said(change, status)).toEqual([word, word]);
});

it("a due time says why its work has not begun, and when that was found", async () => {
	const waits = { code: "QUEUE_FULL", message: "The queue is full.", since: new Date().toISOString() };
	const page = await planPage(occurrence({ status: "running", runs: [{ ...begun[0], runId: undefined, waits }], work, delivery: waiting }));
	expect(page.textContent).toMatch(/Couldn’t start at [^.]*: The queue is full\. XWorkmate keeps trying\./);
});

/** The page of a plan with this due time. */
async function planPage(one: Occurrence, threads: (typeof appState)["threads"] = []): Promise<HTMLElement> {
	fakeApp({ plan: plan({ occurrence: one }), planOccurrences: { items: [one] }, channels: { channels: [] }, contacts: { contacts: [] } });
	render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp({ ...appState, threads }).wrapper });
	return screen.findByRole("region", { name: /./ });
}

const later = new Date(Date.now() + 3_600_000).toISOString();
it.each([
	["Sending", [{ status: "sending" }, { status: "pending" }], "Sending"],
	["Not sent yet", [{ status: "pending" }, { status: "failed", code: "RECIPIENT_REFUSED" }], "Waiting"],
	["Not all sent yet", [{ status: "pending" }, { status: "completed" }], "Waiting"],
	["Not all sent yet", [{ status: "pending" }, { status: "unknown", code: "NO_ANSWER" }], "Waiting"],
	["Retrying", [{ status: "pending", attempts: 1, notBefore: later }], "Retrying. Next attempt: "],
	["Retrying", [{ status: "pending", attempts: 1, notBefore: "2026-11-23T09:01:00.000Z" }], "Retrying"],
])("a due time says “%s”, as its messages do: %j", async (word, changes, message) => {
	const delivery = changes.map((change, at) => ({ ...action({ code: undefined, actionId: `p1-1-${at}` }), ...change }));
	const page = await planPage(occurrence({ status: "delivering", delivery }));
	const [head, first] = [...page.querySelectorAll(".st")].map(({ textContent }) => textContent ?? "");
	expect(head).toBe(word);
	expect(message.endsWith(" ") ? first?.startsWith(message) : first === message).toBe(true);
});

it("a due time names how many commands failed in its newest run", async () => {
	const lastTurn = { turnId: "p1-1-1", runId: "r1", status: "completed", lastSeq: 3, createdAt: appState.serverTime } as never;
	const page = await planPage(occurrence({ status: "completed" }), [summary("plan-p1", 1, { lastTurn, failedCommands: 1 })]);
	expect(within(page).getByText("1 command failed")).toBeTruthy();
	cleanup();
	const older = occurrence({ status: "completed", runs: [{ ...begun[0], turnId: "p1-0-1", status: "completed" }] });
	const other = await planPage(older, [summary("plan-p1", 1, { lastTurn, failedCommands: 1 })]);
	expect(within(other).queryByText("1 command failed")).toBeNull();
});
