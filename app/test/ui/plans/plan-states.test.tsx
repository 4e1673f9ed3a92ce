import { cleanup, render, screen, within } from "@testing-library/react";
import type { Approval, Occurrence, Plan, RunId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { noRuns, planStateOf } from "../../../src/text/plans/plan-runs.ts";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { groupPlans } from "../../../src/ui/plans/plan-look.ts";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, occurrence, plan } from "../plan-stories.ts";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const begun = (n: number) => [{ runId: `r${n}`, threadId: "plan-p1", turnId: `p1-${n}-1` }];
const bare = { gate: undefined, deliverable: undefined, work: [{ description: "Summarise open orders", status: "pending" }] };
const dropped = [action({ status: "failed", code: "CANCELLED" })];
const working = occurrence({ ...bare, status: "running", runs: begun(1), delivery: [action({ status: "pending", code: undefined })] });
const skipped = occurrence({ ...bare, occurrenceId: "p1-2", status: "skipped", code: "OVERLAP", runs: [], delivery: dropped });
const cut = (n: number) =>
	occurrence({ ...bare, occurrenceId: `p1-${n}`, status: "cancelled", code: "CANCELLED", runs: begun(n), delivery: dropped });

const asked = (runId: string, threadId = "plan-p1") =>
	({ approvalId: "a1", runId: runId as RunId, threadId, state: "pending" }) as Approval;
const turn = (turnId: string, runId: string, more: object = {}) =>
	summary("plan-p1", 1, { lastTurn: { turnId, runId, status: "running", lastSeq: 3, createdAt: appState.serverTime, ...more } as never });

interface Scene {
	readonly items: readonly Occurrence[];
	readonly status: Plan["status"];
	readonly threads?: (typeof appState)["threads"];
	readonly approvals?: readonly Approval[];
}

function open(part: React.ReactElement, { items, status, threads = [], approvals = [] }: Scene): void {
	const [newest] = items;
	const made = plan({ status, needsReview: 0, occurrence: newest, work: newest?.work, delivery: newest?.delivery });
	const api = { plan: made, planOccurrences: { items }, channels: { channels: [] }, contacts: { contacts: [] } };
	fakeApp({ ...api, planBook: { known: true, needsReview: 0, unread: 0, plans: [made] } });
	render(part, { wrapper: new InApp({ ...appState, threads, approvals }).wrapper });
}

const page = <PlanPage planId="p1" hasHistory={false} />;
const chip = () => document.querySelector(".chip")?.textContent;

/** What the list says of the plan: its chip, its group, and the filter that counts it. */
async function inList(scene: Scene): Promise<readonly (string | null | undefined)[]> {
	open(<PlansPage />, scene);
	const card = await screen.findByRole("article", { name: "Supplier update" });
	const group = screen.getAllByRole("heading", { level: 2 })[0]?.textContent;
	return [card.querySelector(".chip")?.textContent, group, screen.getByRole("button", { name: /^Needs you/ }).textContent];
}

it("puts what waits first, then what is running, then what is due by its time, then the rest", () => {
	const of = (planId: string, status: Plan["status"], needsReview: number, month: number) =>
		plan({ planId, status, needsReview, nextDueAt: `2026-${month}-01T00:00:00.000Z`, occurrence: undefined });
	const plans = [
		of("p4", "pending", 0, 12),
		of("p5", "running", 0, 10),
		of("p2", "paused", 0, 11),
		of("p3", "pending", 0, 11),
		of("p1", "pending", 1, 11),
	];
	const groups = groupPlans(plans, (one) => planStateOf(one, noRuns).status);
	expect(groups.map(({ group, plans: grouped }) => [group, grouped.map(({ planId }) => planId)])).toEqual([
		["needs", ["p1"]],
		["running", ["p5"]],
		["next", ["p3", "p4"]],
		["rest", ["p2"]],
	]);
});

describe("a plan whose work waits for an approval", () => {
	const scene: Scene = { items: [working], status: "running", approvals: [asked("r1")] };

	it("needs the user in the list, and its card leads to the request", async () => {
		expect(await inList(scene)).toEqual(["Status: Needs you", "Needs you 1", "Needs you 1"]);
		const card = screen.getByRole("article", { name: "Supplier update" });
		expect(
			within(card)
				.getByRole("link", { name: /waiting for your answer/ })
				.getAttribute("href"),
		).toBe("#/t/plan-p1");
		expect(within(card).getByText("Summarise open orders").parentElement?.textContent).toContain("Needs you");
	});

	it("needs the user on its page, which says that a request waits and leads to it", async () => {
		open(page, scene);
		const link = await screen.findByRole("link", { name: /waiting for your answer/ });
		expect(link.getAttribute("href")).toBe("#/t/plan-p1");
		expect(chip()).toContain("Needs you");
		expect(screen.queryByText("Running")).toBeNull();
		expect(screen.getAllByText("Needs you")).toHaveLength(3);
	});

	it("needs the user although a later due time was skipped, and its page shows the earlier one", async () => {
		const later: Scene = { ...scene, items: [skipped, working], threads: [turn("p1-1-1", "r1")] };
		expect(await inList(later)).toEqual(["Status: Needs you", "Needs you 1", "Needs you 1"]);
		cleanup();
		open(page, later);
		expect(await screen.findByRole("link", { name: /waiting for your answer/ })).toBeTruthy();
		expect(chip()).toContain("Needs you");
		expect(screen.getByRole("link", { name: /, needs you$/ }).getAttribute("href")).toBe("#/plans/p1/p1-1");
	});

	it("is running, not scheduled, once the request was answered", async () => {
		await inList({ ...scene, approvals: [] });
		const filters = within(screen.getByRole("group", { name: "Show" })).getAllByRole("button");
		expect(filters.map(({ textContent }) => textContent)).toEqual([
			"All 1",
			"Needs you 0",
			"Running 1",
			"Scheduled 0",
			"Paused 0",
			"Finished 0",
		]);
	});

	it("is paused and needs the user if it was paused meanwhile", async () => {
		expect((await inList({ ...scene, status: "paused" }))[0]).toBe("Status: Needs you");
	});

	it("doesn't need the user for another run in its thread", async () => {
		const other: Scene = { ...scene, items: [working], approvals: [asked("r9")], threads: [turn("by-hand", "r9")] };
		expect(await inList(other)).toEqual(["Status: Running", "Running 1", "Needs you 0"]);
	});
});

describe("a plan of which an earlier due time is in progress", () => {
	it("leads to it from a later one", async () => {
		open(page, { items: [skipped, working], status: "running", threads: [turn("p1-1-1", "r1")] });
		expect((await screen.findByRole("link", { name: /, running$/ })).getAttribute("href")).toBe("#/plans/p1/p1-1");
		expect(screen.queryByRole("link", { name: /waiting for your answer/ })).toBeNull();
	});

	it.each([
		["cancelled", cut(2)],
		["skipped", skipped],
	])("says that the work of it was asked to stop, though the newest was %s", async (_how, newest) => {
		const stopping = turn("p1-1-1", "r1", { stoppingSince: appState.serverTime });
		const scene: Scene = { items: [newest, cut(1)], status: "pending", threads: [stopping] };
		expect((await inList(scene))[0]).toBe("Status: Stop requested");
		cleanup();
		open(page, scene);
		expect((await screen.findByRole("link", { name: /, stop requested$/ })).getAttribute("href")).toBe("#/plans/p1/p1-1");
		expect(chip()).toContain("Stop requested");
	});

	it("says nothing of it once its run is over", async () => {
		const over = turn("p1-1-1", "r1", { status: "cancelled", stoppingSince: appState.serverTime });
		open(page, { items: [cut(2), cut(1)], status: "pending", threads: [over] });
		await screen.findByRole("heading", { name: "Delivery" });
		expect([chip(), screen.queryByRole("link", { name: /, stop requested$/ })]).toEqual(["Status: Scheduled", null]);
	});
});
