import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { Approval, Capabilities } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { BridgeView } from "../../../src/api/ui-api.ts";
import { sentMessage } from "../../../src/ui/follow/sent-message.ts";
import { actionProgram } from "../../../src/ui/pages/action-program.ts";
import { firstProgram } from "../../../src/ui/pages/first-program.ts";
import { FirstRun } from "../../../src/ui/pages/first-run.tsx";
import { FirstSteps } from "../../../src/ui/pages/first-steps.tsx";
import { preferences, setPreferences } from "../../../src/ui/state/preferences.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { integration } from "../action-stories.ts";
import { type Called, fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { approval, appState, ended, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	vi.useRealTimers();
	setPreferences({ firstAction: undefined });
	sessionStorage.clear();
	untold.set([]);
	sentMessage.set(undefined);
});

const script = { providerId: "script", label: "Script", target: "agent", available: true } as Capabilities["providers"][number];
const capabilities = { providers: [script] } as Capabilities;
const app = () => new InApp({ ...appState, bridge: { ...appState.bridge, capabilities } });
const { threadId } = summary("thread1", 0);
const sent = { threadId, turnId: "turn1" };
const sentIn = (calls: readonly Called[]) => calls.find(({ method }) => method === "send")?.params;
/** What was called, apart from the reads. */
const methodsOf = (calls: readonly Called[]) => calls.map(({ method }) => method).filter((method) => method !== "listTools");

describe("the first action", () => {
	it("adds the calendar example and sends a program that asks, by one press", async () => {
		const calls = fakeApp({ listTools: { integrations: [] }, addTools: integration("calendar"), send: sent });
		render(<FirstRun />, { wrapper: app().wrapper });
		fireEvent.click(screen.getByRole("button", { name: /^Send it/ }));
		await waitFor(() => expect(preferences.value.firstAction).toBe(threadId));
		expect(methodsOf(calls)).toEqual(["addTools", "send"]);
		expect(sentMessage.value).toMatchObject({ threadId, prompt: sentIn(calls)?.prompt });
		expect(calls.find(({ method }) => method === "addTools")?.params).toEqual({ example: "calendar" });
		expect(sentIn(calls)).toMatchObject({ routing: { executionTarget: "agent", providerId: "script" } });
		expect(String(sentIn(calls)?.prompt)).toContain("tools.calendar.createEvent(");
	});

	it("leaves a calendar alone that is there, and sends nothing if the example cannot be added", async () => {
		const calls = fakeApp({ listTools: { integrations: [integration("calendar")] }, send: sent });
		render(<FirstRun />, { wrapper: app().wrapper });
		fireEvent.click(screen.getByRole("button", { name: /^Send it/ }));
		await waitFor(() => expect(methodsOf(calls)).toEqual(["send"]));
		cleanup();
		const refused = fakeApp({ listTools: { integrations: [] }, addTools: new Refused("DISK_FULL", "The disk is full."), send: sent });
		render(<FirstRun />, { wrapper: app().wrapper });
		fireEvent.click(screen.getByRole("button", { name: /^Send it/ }));
		await waitFor(() => expect(untold.value.map(({ text }) => text).join()).toContain("The disk is full."));
		expect(methodsOf(refused)).toEqual(["addTools"]);
	});

	it("says that it adds the example, and what the example is, only where it will be added and is known to be", async () => {
		fakeApp({ listTools: { integrations: [] } });
		render(<FirstRun />, { wrapper: app().wrapper });
		expect(await screen.findByText("Adds the calendar example to your tools")).toBeDefined();
		expect(screen.getByText("The calendar is a file in your data folder")).toBeDefined();
		cleanup();
		const elsewhere = app();
		elsewhere.app.set({ ...elsewhere.app.value, bridge: { ...elsewhere.app.value.bridge, own: false } });
		render(<FirstRun />, { wrapper: elsewhere.wrapper });
		expect(await screen.findByText("Adds the calendar example to your tools")).toBeDefined();
		expect(screen.queryByText("The calendar is a file in your data folder")).toBeNull();
		cleanup();
		fakeApp({ listTools: { integrations: [integration("calendar")] } });
		render(<FirstRun />, { wrapper: app().wrapper });
		expect(await screen.findByText("Uses your calendar tools")).toBeDefined();
		expect(screen.queryByText(/calendar example|data folder/)).toBeNull();
	});

	it("is for the day after the press, not after the day on which the page was opened", async () => {
		vi.useFakeTimers({ now: new Date(2026, 0, 1, 23, 59), toFake: ["Date"] });
		const calls = fakeApp({ listTools: { integrations: [integration("calendar")] }, send: sent });
		render(<FirstRun />, { wrapper: app().wrapper });
		vi.setSystemTime(new Date(2026, 0, 2, 8, 0));
		fireEvent.click(screen.getByRole("button", { name: /^Send it/ }));
		await waitFor(() => expect(String(sentIn(calls)?.prompt)).toContain('start: "2026-01-03T09:00'));
	});

	it("is ready only while the app and the bridge answer", () => {
		fakeApp({ listTools: { integrations: [] } });
		const here = app();
		render(<FirstRun />, { wrapper: here.wrapper });
		const button = screen.getByRole("button", { name: /^Send it/ });
		expect([button, screen.queryAllByText("Ready").length]).toMatchObject([{ disabled: false }, 2]);
		act(() => here.link.set("gone"));
		expect([button, screen.queryAllByText("Ready").length]).toMatchObject([{ disabled: true }, 0]);
		act(() => {
			here.link.set("live");
			here.app.set({ ...here.app.value, bridge: { ...here.app.value.bridge, state: "starting" } });
		});
		expect([button, screen.queryAllByText("Connecting…").length]).toMatchObject([{ disabled: true }, 2]);
	});

	it.each<[Partial<BridgeView>, string]>([
		[{ state: "unreachable" }, "Can’t reach the bridge"],
		[{ state: "refused" }, "Bridge rejected the connection"],
		[{ trouble: { what: "silent", own: false } }, "Bridge not responding"],
		[{ capabilities: { ...capabilities, providers: [{ ...script, available: false }] } }, "Not available"],
		[{ capabilities: { ...capabilities, providers: [] } }, "Not available"],
	])("says why Script can't be used, and not that it connects: %j", (bridge, words) => {
		fakeApp({ listTools: { integrations: [] } });
		const here = app();
		here.app.set({ ...here.app.value, bridge: { ...here.app.value.bridge, ...bridge } });
		render(<FirstRun />, { wrapper: here.wrapper });
		expect([screen.queryAllByText(words).length, screen.queryAllByText("Connecting…").length]).toEqual([2, 0]);
		// The icon of a lost connection is only beside the words for one.
		const lost = screen.getAllByText(words).map((word) => word.closest(".st")?.querySelector(".lucide-wifi-off") !== null);
		expect(lost).toEqual(words === "Not available" ? [false, false] : [true, true]);
	});

	it("plans for tomorrow by this computer's calendar, also at the end of a month", () => {
		expect(actionProgram(new Date(2026, 10, 30, 23, 59))).toMatch(/start: "2026-12-01T09:00:00[+-]\d\d:\d\d"/);
		expect(actionProgram(new Date(2026, 0, 1, 0, 0))).toMatch(/end: "2026-01-02T09:30:00[+-]\d\d:\d\d"/);
		const start = /start: "([^"]+)"/.exec(actionProgram(new Date(2026, 6, 1)))?.[1] ?? "";
		expect(new Date(start)).toEqual(new Date(2026, 6, 2, 9, 0));
	});

	it("and the first file are dated by this computer's calendar", () => {
		expect(firstProgram([], new Date(2026, 0, 2, 23, 59))).toContain('const today = "2026-01-02";');
		expect(firstProgram([], new Date(2026, 0, 2, 0, 1))).toContain('const today = "2026-01-02";');
	});

	const { turn } = ended({}, undefined);
	/** The steps above a thread whose newest turn has this status, and what the user may do to it. */
	const steps = (status: typeof turn.status) => {
		setPreferences({ firstAction: threadId });
		const at = (now: typeof status) =>
			summary("thread1", 0, { lastTurn: { ...turn, status: now }, ...(now !== "completed" && { pendingTurnId: turn.turnId }) });
		const here = new InApp({ ...appState, threads: [at(status)] });
		const { rerender } = render(<FirstSteps threadId={threadId} />, { wrapper: here.wrapper });
		return {
			...{ here, rerender },
			shown: () => [document.querySelectorAll("li.done").length, document.querySelector("[aria-current=step]")?.textContent],
			become: (now: typeof status, approvals: readonly Approval[] = []) =>
				act(() => here.app.set({ ...appState, threads: [at(now)], approvals })),
			answer: (more: Partial<Approval>) => act(() => here.appLink.seeAnswer(approval(more))),
		};
	};

	it("says which press is next, and that one was made only once it was", () => {
		const { shown, become, answer } = steps("sending");
		expect(shown()).toEqual([0, "1Send it"]);
		become("queued");
		expect(shown()).toEqual([1, undefined]);
		become("running", [approval()]);
		expect(shown()).toEqual([1, "2Decide"]);
		answer({ state: "decided", decision: "deny" });
		become("running");
		expect(shown()).toEqual([2, undefined]);
		become("completed");
		expect(shown()).toEqual([2, "3See the receipts"]);
	});

	it("says nothing of a run that ended without an answer", () => {
		const { become, answer } = steps("running");
		answer({ state: "expired" });
		become("completed");
		expect(screen.queryByRole("list")).toBeNull();
	});

	it("leads to the receipts, and is gone once they were opened", () => {
		const { rerender, answer } = steps("completed");
		answer({ state: "decided", decision: "allow_once" });
		const last = screen.getByRole("link", { name: "See the receipts" });
		expect(last.getAttribute("href")).toBe("#/receipts?threadId=thread1");
		fireEvent.click(last);
		rerender(<FirstSteps threadId={threadId} />);
		expect(screen.queryByRole("list")).toBeNull();
		expect(JSON.parse(localStorage.getItem("xworkmate.look") ?? "{}").firstAction).toBeUndefined();
	});
});
