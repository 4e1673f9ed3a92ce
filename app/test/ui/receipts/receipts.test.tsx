import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { ReceiptProblem, TaskSummary, Verification } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useStore } from "../../../src/ui/connection/store.ts";
import { chainState, groupReceipts, isDamaged } from "../../../src/ui/receipts/receipt-groups.ts";
import ReceiptsPage from "../../../src/ui/receipts/receipts-page.tsx";
import { queryOf } from "../../../src/ui/receipts/use-receipts.ts";
import { savedDigits, verification } from "../../../src/ui/receipts/verification.ts";
import { go, hrefOf, parseRoute, route } from "../../../src/ui/state/route.ts";
import { receipt, trailOf } from "../action-stories.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState, at, snapshot, summary } from "../stories.ts";

const intact: Verification = { ok: true, runs: 1, receipts: 6, independence: "self_attested", problems: [] };
const edited = { code: "EDITED", runId: receipt(6, "denied").runId, n: 6, message: "its hash is another" } as ReceiptProblem;
const damaged: Verification = { ...intact, ok: false, problems: [edited] };
const listed = [
	receipt(6, "denied", { toolCallId: "call-2", decision: { by: "person", decision: "deny" } }),
	receipt(5, "requested", { toolCallId: "call-2" }),
	...trailOf("call-1", 1).toReversed(),
];
const { artifacts: _, rejectedArtifacts: __, pendingApprovals: ___, output: ____, ...task } = snapshot({});
const tasks = { items: [{ ...task, artifactCount: 0 }] as readonly TaskSummary[] };

function Page() {
	const here = useStore(route);
	return here.page === "receipts" ? (
		<ReceiptsPage filter={here.filter ?? {}} {...(here.call !== undefined && { call: here.call })} />
	) : null;
}

/** The bar that says what is wrong. Its result is announced by the page's live region. */
const badProof = () =>
	waitFor(() => {
		const bar = document.querySelector(".proof.bad");
		if (!(bar instanceof HTMLElement)) throw new Error("no bar says that anything is wrong");
		return bar;
	});

function open(answers: object, hash = "#/receipts") {
	const calls = fakeApp({ tasks, listReceipts: { items: listed }, verifyReceipts: intact, ...answers });
	const to = parseRoute(hash);
	go(to);
	route.set(to);
	const app = new InApp({ ...appState, threads: [summary("thread1", 1, { title: "Move the dentist" })] });
	render(<Page />, { wrapper: app.wrapper });
	return { calls, app };
}

beforeEach(() => verification.set({}));
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

describe("receipts by run and call", () => {
	it("keeps the order of the newest, and the numbers of what is listed", () => {
		const [run, ...others] = groupReceipts(listed);
		expect(others).toEqual([]);
		expect(run?.calls.map(({ key, first, last }) => [key, first, last])).toEqual([
			["call-2", 5, 6],
			["call-1", 1, 4],
		]);
		expect(run?.calls[1]?.name).toBe("Create “Dentist” on Fri 27 Nov, 9:00 to 9:45");
		const loose = receipt(9, "auth.profile.rotated", { toolCallId: undefined, toolId: undefined });
		expect(groupReceipts([loose])[0]?.calls).toMatchObject([{ key: "run1.9" }]);
	});

	it("calls a run intact only if it was checked whole, has ended, and the ledger is sound", () => {
		const run = { runId: "run1", newestAt: at(6) };
		const ended = { endedAt: at(9) as TaskSummary["createdAt"] };
		const checked = { checkedAt: at(20), tookMs: 1, upTo: at(6), result: intact };
		expect(chainState(run, ended, checked).state).toBe("intact");
		expect(chainState(run, ended, undefined).state).toBe("unverified");
		expect(chainState({ ...run, newestAt: at(7) }, ended, checked).state).toBe("unverified");
		expect(chainState(run, {}, checked).state).toBe("running");
		const ledger = { ...intact, ok: false, problems: [{ code: "LEDGER_CUT", message: "" } as const] };
		expect(chainState(run, ended, { ...checked, result: ledger }).state).toBe("unverified");
		const bad = chainState(run, {}, { ...checked, result: damaged });
		expect(bad).toEqual({ state: "problem", problem: edited });
		expect([isDamaged({ first: 1, last: 4 }, bad), isDamaged({ first: 5, last: 6 }, bad)]).toEqual([false, true]);
	});
});

describe("the page of receipts", () => {
	it("lists each call once with its state, and opens its trail beside the list, by address and by press", async () => {
		const trail = trailOf("call-1", 1);
		open({ receipt: { receipt: trail[3], trail } });
		const rows = await screen.findAllByRole("button", { name: /calendar\.events\.create/ });
		expect(rows.map((row) => row.querySelector(".st")?.textContent)).toEqual(["Not done", "Done"]);
		expect(rows.map((row) => row.querySelector(".n")?.textContent)).toEqual(["5–6", "1–4"]);
		expect((await screen.findByRole("link", { name: "Move the dentist" })).getAttribute("href")).toBe("#/t/thread1");
		rows[0]?.focus();
		fireEvent.keyDown(rows[0] ?? document.body, { key: "ArrowDown" });
		expect(document.activeElement).toBe(rows[1]);
		fireEvent.click(rows[1] ?? document.body);
		await waitFor(() => expect(location.hash).toBe("#/receipts?call=run1.4"));
		const panel = await screen.findByRole("complementary", { name: "One call" });
		expect(await within(panel).findByRole("heading", { name: "Receipts 1–4" })).toBeDefined();
		expect(panel.textContent).toContain("4".padStart(64, "0"));
		fireEvent.keyDown(panel, { key: "Escape" });
		await waitFor(() => expect(screen.queryByRole("complementary")).toBeNull());
	});

	it("names a plan by its title with a link to it, and exports the receipts of a plan that it is narrowed to", async () => {
		const ofPlan = { receiptId: "plan1.1", runId: undefined, planId: "plan1", toolCallId: undefined, toolId: undefined, risk: undefined };
		const sent = receipt(1, "failed", { ...ofPlan, type: "delivery.succeeded", detail: { actionId: "plan1-1-1", channel: "email" } });
		const bad = { ...damaged, plans: 1, problems: [{ ...edited, runId: undefined, planId: "plan1", n: 1 }] };
		const answers = { listReceipts: { items: [sent] }, listPlans: { items: [{ planId: "plan1", title: "News at nine" }] } };
		const { calls } = open({ ...answers, verifyReceipts: bad }, "#/receipts?planId=plan1");
		const link = await screen.findByRole("link", { name: "News at nine" });
		expect(link.getAttribute("href")).toBe("#/plans/plan1");
		expect(screen.getByRole("link", { name: "Export this plan" }).getAttribute("href")).toBe("/receipts.ndjson?planId=plan1");
		expect(calls.find(({ method }) => method === "listReceipts")?.params).toMatchObject({ planId: "plan1" });
		fireEvent.click(screen.getByRole("button", { name: "Verify this plan" }));
		const alert = await badProof();
		expect(calls.find(({ method }) => method === "verifyReceipts")?.params).toEqual({ planId: "plan1" });
		expect(alert.textContent).toContain("News at nine");
		expect(alert.textContent).toContain("Don’t rely on this plan.");
		expect(alert.textContent).not.toContain("this run");
		expect(within(alert).getByRole("link", { name: "Show the plan’s receipts" }).getAttribute("href")).toBe("#/receipts?planId=plan1");
	});

	it("calls a plan intact that was checked alone, and says nothing of the others", async () => {
		const ofPlan = { runId: undefined, toolCallId: undefined, toolId: undefined, risk: undefined, type: "delivery.succeeded" } as const;
		const sent = (planId: string) =>
			receipt(1, "failed", { ...ofPlan, receiptId: `${planId}.1`, planId, detail: { actionId: `${planId}-1-1`, channel: "email" } });
		const answers = {
			listReceipts: { items: [sent("plan1")] },
			listPlans: { items: [{ planId: "plan1", title: "News at nine" }] },
			verifyReceipts: { ...intact, runs: 0, plans: 1, receipts: 1 },
		};
		open(answers, "#/receipts?planId=plan1");
		await screen.findByRole("link", { name: "News at nine" });
		fireEvent.click(screen.getByRole("button", { name: "Verify this plan" }));
		await waitFor(() => expect(screen.getByRole("main").textContent).toContain("Checked 1 receipt of “News at nine”: no changes found."));
		const { verified } = verification.value;
		expect(chainState({ runId: "plan1", newestAt: sent("plan1").at }, undefined, verified).state).toBe("intact");
		expect(chainState({ runId: "plan2", newestAt: sent("plan2").at }, undefined, verified).state).toBe("unverified");
	});

	it("verifies, keeps the old result until there is a new one, and shows no green in a damaged run", async () => {
		let answer: Verification | Promise<Verification> = intact;
		open({ verifyReceipts: () => answer });
		await screen.findByText("Not verified yet in this window.");
		expect(screen.getByText("Not checked yet")).toBeDefined();
		fireEvent.click(screen.getByRole("button", { name: "Verify" }));
		await screen.findByText("Checked 6 receipts in 1 run: no changes found.");
		expect(screen.getByText("Self-attested: checked only against the bridge’s own ledger")).toBeDefined();
		await screen.findByText("Intact");
		const { promise, resolve } = Promise.withResolvers<Verification>();
		answer = promise;
		fireEvent.click(screen.getByRole("button", { name: "Verify" }));
		await screen.findByText("Verifying");
		expect(screen.getByText("Checked 6 receipts in 1 run: no changes found.")).toBeDefined();
		await act(async () => resolve(damaged));
		const alert = await badProof();
		expect(alert.textContent).toContain("Receipt 6 was changed after it was written");
		expect(alert.textContent).toContain("EDITED");
		expect(screen.getByText("Problem at receipt 6")).toBeDefined();
		expect(screen.getByText("Unreliable")).toBeDefined();
		expect(document.querySelector(".rrun .st-ok")).toBeNull();
	});

	it("says how far a verification has come, and stops it without losing the last result", async () => {
		let answer: Verification | ReadableStream = intact;
		open({ verifyReceipts: () => answer });
		fireEvent.click(await screen.findByRole("button", { name: "Verify" }));
		await screen.findByText("Intact.");
		const { promise: left, resolve: leave } = Promise.withResolvers<void>();
		answer = new ReadableStream<Uint8Array>({
			start: (lines) => lines.enqueue(new TextEncoder().encode('{"type":"alive"}\n{"type":"progress","receipts":48,"of":100}\n')),
			cancel: () => leave(),
		});
		fireEvent.click(screen.getByRole("button", { name: "Verify" }));
		await screen.findByText("48 of 100 receipts");
		expect(screen.getByText("Intact.")).toBeDefined();
		// A count that changes all the time is not announced.
		expect(screen.getByText("48 of 100 receipts").closest("[role=status], [aria-live]")).toBeNull();
		fireEvent.click(screen.getByRole("button", { name: "Stop" }));
		await waitFor(() => expect(screen.queryByText("Verifying")).toBeNull());
		await left;
		expect(screen.queryByRole("alert")).toBeNull();
		expect(screen.getByText("Intact.")).toBeDefined();
	});

	it("keeps the last result when a verification fails, and says that it failed", async () => {
		let fails = false;
		open({ verifyReceipts: () => (fails ? new Refused("ACP_HTTP_CONNECT_FAILED", "The bridge is not running.") : intact) });
		fireEvent.click(await screen.findByRole("button", { name: "Verify" }));
		await screen.findByText("Intact.");
		fails = true;
		fireEvent.click(screen.getByRole("button", { name: "Verify" }));
		expect((await badProof()).textContent).toContain("The receipts couldn’t be verified. The bridge is not running.");
		expect(screen.getByText("Intact.")).toBeDefined();
	});

	it.each([
		["0000 0000 0004", true],
		["4".padStart(64, "0"), true],
		["abcdefabcdef", false],
	])("compares a saved hash, whole or in part: %s", async (typed, isMatch) => {
		const { calls } = open({ verifyReceipts: { ...intact, independence: isMatch ? "head_matched" : "self_attested" } });
		fireEvent.click(await screen.findByRole("button", { name: "Compare with a saved hash" }));
		fireEvent.change(screen.getByRole("textbox"), { target: { value: typed } });
		fireEvent.click(screen.getByRole("button", { name: "Compare" }));
		await screen.findByText(isMatch ? "Intact, and your saved hash matches." : "Your saved hash doesn’t match.");
		expect(calls.findLast(({ method }) => method === "verifyReceipts")?.params).toEqual({ head: typed.replaceAll(" ", "") });
		// The verification looks at every receipt, so no list of them is searched.
		expect(calls.filter(({ method, params }) => method === "listReceipts" && params.cursor !== undefined)).toEqual([]);
	});

	it("matches no hash that is only listed: the verification has to find it in a chain", async () => {
		open({});
		fireEvent.click(await screen.findByRole("button", { name: "Compare with a saved hash" }));
		fireEvent.change(screen.getByRole("textbox"), { target: { value: "4".padStart(64, "0") } });
		fireEvent.click(screen.getByRole("button", { name: "Compare" }));
		await screen.findByText("Your saved hash doesn’t match.");
	});

	it("says that a saved hash was found although another run has a problem", async () => {
		open({ verifyReceipts: { ...damaged, independence: "head_matched" } });
		fireEvent.click(await screen.findByRole("button", { name: "Compare with a saved hash" }));
		fireEvent.change(screen.getByRole("textbox"), { target: { value: "0000 0000 0004" } });
		fireEvent.click(screen.getByRole("button", { name: "Compare" }));
		await screen.findByText("Your saved hash was found, but there are problems.");
		expect(screen.getByText("1 problem found.")).toBeTruthy();
		expect(screen.queryByText(/Nothing here has/)).toBeNull();
		expect(screen.queryByText("Intact, and your saved hash matches.")).toBeNull();
	});

	it("takes no hash that is too short, or none", async () => {
		expect(["c81f 20a9 6b3e", "C81F20A96B3E", "c81f20a96b3", "xyz", `${"a".repeat(65)}`].map(savedDigits)).toEqual([
			"c81f20a96b3e",
			"c81f20a96b3e",
			undefined,
			undefined,
			undefined,
		]);
		const { calls } = open({});
		fireEvent.click(await screen.findByRole("button", { name: "Compare with a saved hash" }));
		fireEvent.change(screen.getByRole("textbox"), { target: { value: "c81f" } });
		fireEvent.click(screen.getByRole("button", { name: "Compare" }));
		await screen.findByText("Enter 12 to 64 hexadecimal digits.");
		expect(calls.some(({ method }) => method === "verifyReceipts")).toBe(false);
	});

	it("keeps its filters in the address, asks for what they leave, and exports that run", async () => {
		const { calls } = open({ listReceipts: { items: [] } }, "#/receipts?type=tool.call.denied&runId=run1&origin=executed");
		await screen.findByText("No receipts match these filters");
		expect(calls.find(({ method }) => method === "listReceipts")?.params).toEqual({
			limit: 200,
			origin: "executed",
			type: "tool.call.denied",
			runId: "run1",
		});
		expect(screen.getByRole("link", { name: "Export this run" }).getAttribute("href")).toBe("/receipts.ndjson?runId=run1");
		fireEvent.change(screen.getByRole("combobox", { name: "Thread" }), { target: { value: "thread1" } });
		await waitFor(() => expect(location.hash).toContain("threadId=thread1"));
		fireEvent.click(screen.getByRole("button", { name: "Clear filters" }));
		await screen.findByText("No receipts yet");
		expect(location.hash).toBe("#/receipts");
		expect(queryOf({ days: "7" }, Date.parse(at(0)))).toEqual({ limit: 200, since: "2025-12-26T10:00:00.000Z" });
		expect(queryOf({ days: "x" }, 0)).toEqual({ limit: 200 });
	});

	it("reads page by page, and says what could not be read", async () => {
		let older: unknown = new Refused("ACP_HTTP_CONNECT_FAILED", "The bridge is not running.");
		open({
			listReceipts: ({ cursor }: { readonly cursor?: string }) =>
				cursor === "next" ? older : { items: listed.slice(0, 2), nextCursor: "next" },
		});
		fireEvent.click(await screen.findByRole("button", { name: "Show older receipts" }));
		expect((await screen.findByRole("alert")).textContent).toContain("The receipts couldn’t be loaded. The bridge is not running.");
		expect(document.querySelectorAll(".rc")).toHaveLength(1);
		older = { items: listed.slice(2) };
		fireEvent.click(screen.getByRole("button", { name: "Try again" }));
		fireEvent.click(await screen.findByRole("button", { name: "Show older receipts" }));
		await waitFor(() => expect(document.querySelectorAll(".rc")).toHaveLength(2));
		expect(screen.queryByRole("alert")).toBeNull();
	});

	it("lists what a thread's run did as soon as the thread changes", async () => {
		let items = listed;
		const { app } = open({ listReceipts: () => ({ items }) });
		await waitFor(() => expect(document.querySelectorAll(".rc")).toHaveLength(2));
		items = [receipt(7, "requested", { toolCallId: "call-3" }), ...listed];
		act(() => app.app.set({ ...app.app.value, threads: [summary("thread1", 9, { title: "Move the dentist" })] }));
		await waitFor(() => expect(document.querySelectorAll(".rc")).toHaveLength(3));
	});

	it("is the same page after a reload", () => {
		const to = { page: "receipts", filter: { toolId: "calendar.events.create", threadId: "a b/c?" }, call: "run1.4" } as const;
		expect(parseRoute(hrefOf(to))).toEqual(to);
		expect(parseRoute("#/receipts")).toEqual({ page: "receipts" });
		expect(parseRoute(hrefOf({ page: "tools", review: "github" }))).toEqual({ page: "tools", review: "github" });
	});
});
