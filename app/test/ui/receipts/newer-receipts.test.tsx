import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { Receipt } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import ReceiptsPage from "../../../src/ui/receipts/receipts-page.tsx";
import { verification } from "../../../src/ui/receipts/verification.ts";
import { receipt } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

beforeEach(() => verification.set({}));
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** The receipt of a message of the plan `planId`, which is sent every minute. */
function sent(n: number, planId = "plan1"): Receipt {
	const ofPlan = { runId: undefined, toolCallId: undefined, toolId: undefined, risk: undefined, type: "delivery.succeeded" } as const;
	const detail = { actionId: `${planId}-${n}-1`, channel: "email" };
	return receipt(n, "succeeded", { ...ofPlan, receiptId: `${planId}.${n}`, planId, detail });
}

/** The numbers of the listed receipts, from top to bottom. */
const rows = () => [...document.querySelectorAll(".rc .n")].map((one) => Number(one.textContent));
const scroller = () => document.querySelector<HTMLElement>(".scroll") ?? document.body;

/** The page with the receipts 2 and 1 and the `older` ones. The app answers with `pageSize` of them at a time. */
async function open({ pageSize = 200, call = "", older = [] as readonly Receipt[] } = {}) {
	const receipts: readonly Receipt[] = [sent(2), sent(1), ...older];
	const now = { receipts, isOffline: false, plans: [{ planId: "plan1", title: "News at nine" }] };
	const reach = <Given, Answer>(answer: (given: Given) => Answer) => {
		return (given: Given) => {
			if (now.isOffline) throw new TypeError("Failed to fetch");
			return answer(given);
		};
	};
	fakeApp({
		tasks: reach(() => ({ items: [] })),
		listPlans: reach(() => ({ items: now.plans })),
		listReceipts: reach(({ cursor, limit }: { readonly cursor?: string; readonly limit: number }) => {
			const from = cursor === undefined ? 0 : now.receipts.findIndex(({ receiptId }) => receiptId === cursor) + 1;
			const items = now.receipts.slice(from, from + Math.min(limit, pageSize));
			const isMore = from + items.length < now.receipts.length;
			return { items, ...(isMore && { nextCursor: items.at(-1)?.receiptId }) };
		}),
		receipt: reach(({ receiptId }: { readonly receiptId: string }) => {
			const one = now.receipts.find((listed) => listed.receiptId === receiptId);
			return { receipt: one, trail: now.receipts.filter(({ detail }) => detail?.["actionId"] === one?.detail?.["actionId"]).toReversed() };
		}),
		verifyReceipts: () => ({ ok: true, runs: 0, plans: 1, receipts: now.receipts.length, independence: "self_attested", problems: [] }),
	});
	const here = new InApp(appState);
	render(<ReceiptsPage filter={{}} {...(call !== "" && { call })} />, { wrapper: here.wrapper });
	await screen.findByRole("link", { name: "News at nine" });
	/** What the app tells of when a plan has sent a message. */
	const tell = (planId = "plan1") =>
		act(() => {
			const { count, of } = here.appLink.planNews.value;
			here.appLink.planNews.set({ count: count + 1, of: { ...of, [planId]: (of[planId] ?? 0) + 1 } });
		});
	return { now, tell, here };
}

describe("newer receipts on the open page", () => {
	it("are listed when the app tells of a change of a plan, with the titles of new plans", async () => {
		const { now, tell } = await open();
		expect(rows()).toEqual([2, 1]);
		now.receipts = [sent(3, "plan2"), ...now.receipts];
		now.plans = [...now.plans, { planId: "plan2", title: "Backup" }];
		tell("plan2");
		await waitFor(() => expect(rows()).toEqual([3, 2, 1]));
		expect(await screen.findByRole("link", { name: "Backup" })).toBeDefined();
		expect(screen.queryByRole("button", { name: "New receipts above" })).toBeNull();
	});

	it("are listed after a verification, which counts them", async () => {
		const { now } = await open();
		now.receipts = [sent(3), ...now.receipts];
		fireEvent.click(screen.getByRole("button", { name: "Verify" }));
		await screen.findByText("Checked 3 receipts in 0 runs and 1 plan: no changes found.");
		await waitFor(() => expect(rows()).toEqual([3, 2, 1]));
	});

	it("leave the older ones that were loaded, and more can be loaded", async () => {
		const { now, tell } = await open({ pageSize: 2, older: [sent(9, "plan0"), sent(8, "plan0")] });
		fireEvent.click(screen.getByRole("button", { name: "Show older receipts" }));
		await waitFor(() => expect(rows()).toEqual([2, 1, 9, 8]));
		now.receipts = [sent(3), ...now.receipts];
		tell();
		await waitFor(() => expect(rows()).toEqual([3, 2, 1, 9, 8]));
	});

	it("that fill more than a page begin the list again, so that none is left out", async () => {
		const { now, tell } = await open({ pageSize: 2 });
		now.receipts = [sent(5), sent(4), sent(3), ...now.receipts];
		tell();
		await waitFor(() => expect(rows()).toEqual([5, 4]));
		fireEvent.click(screen.getByRole("button", { name: "Show older receipts" }));
		await waitFor(() => expect(rows()).toEqual([5, 4, 3, 2]));
	});

	it.each([
		["has scrolled", () => Object.assign(scroller(), { scrollTop: 300 })],
		["is on a row", () => document.querySelector<HTMLElement>(".rc")?.focus()],
	])("move no row while the user %s, and are shown on request", async (_, hold) => {
		const { now, tell } = await open();
		hold();
		now.receipts = [sent(3), ...now.receipts];
		tell();
		const show = await screen.findByRole("button", { name: "New receipts above" });
		expect(rows()).toEqual([2, 1]);
		fireEvent.click(show);
		await waitFor(() => expect(rows()).toEqual([3, 2, 1]));
		expect(scroller().scrollTop).toBe(0);
		expect(screen.queryByRole("button", { name: "New receipts above" })).toBeNull();
	});

	it("are not said to be there when receipts were only deleted, which leave the list at once", async () => {
		const older = [sent(9, "plan0"), sent(8, "plan0")].map((one) => ({ ...one, at: "2025-12-31T10:00:00.000Z" as Receipt["at"] }));
		const { now, tell } = await open({ pageSize: 2, older });
		scroller().scrollTop = 300;
		now.receipts = now.receipts.slice(1);
		tell();
		await waitFor(() => expect(rows()).toEqual([1, 9]));
		now.receipts = now.receipts.slice(2);
		tell();
		await waitFor(() => expect(rows()).toEqual([8]));
		expect(screen.queryByRole("button", { name: "New receipts above" })).toBeNull();
	});

	it("are shown in the open call too", async () => {
		const { now, tell } = await open({ call: "plan1.2" });
		await screen.findByRole("heading", { name: "Receipt 2" });
		now.receipts = [{ ...sent(3), type: "delivery.settled", detail: { ...sent(2).detail, decision: "sent" } }, ...now.receipts];
		tell();
		expect(await screen.findByRole("heading", { name: "Receipts 2–3" })).toBeDefined();
	});

	it("that can't be loaded date the list, which stays, and are loaded as soon as they can be", async () => {
		const { now, tell } = await open();
		expect(document.querySelector("main")?.textContent).not.toMatch(/as of/i);
		now.isOffline = true;
		now.receipts = [sent(3), ...now.receipts];
		tell();
		expect((await screen.findByRole("alert")).textContent).toContain("The receipts couldn’t be loaded.");
		expect(screen.getByText(/^As of \d+:\d\d\. Newer changes couldn’t be loaded yet\.$/)).toBeDefined();
		expect(rows()).toEqual([2, 1]);
		now.isOffline = false;
		await waitFor(() => expect(rows()).toEqual([3, 2, 1]), { timeout: 5_000 });
		expect(document.querySelector("main")?.textContent).not.toMatch(/as of/i);
		expect(screen.queryByRole("alert")).toBeNull();
	});

	it("may be missing while the app is away, which the list says", async () => {
		const { here } = await open();
		here.heardAt = "2026-01-02T10:00:00.000Z";
		act(() => here.link.set("gone"));
		expect(screen.getByText(/^As of .*\. The app isn’t responding\.$/)).toBeDefined();
		expect(rows()).toEqual([2, 1]);
	});
});
