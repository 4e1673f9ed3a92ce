import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { Capabilities } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sentMessage } from "../../../src/ui/follow/sent-message.ts";
import { actionProgram } from "../../../src/ui/pages/action-program.ts";
import { FirstRun } from "../../../src/ui/pages/first-run.tsx";
import { FirstSteps } from "../../../src/ui/pages/first-steps.tsx";
import { preferences, setPreferences } from "../../../src/ui/state/preferences.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { integration } from "../action-stories.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
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

describe("the first action", () => {
	it("adds the calendar example and sends a program that asks, by one press", async () => {
		const calls = fakeApp({ listTools: { integrations: [] }, addTools: integration("calendar"), send: sent });
		render(<FirstRun />, { wrapper: app().wrapper });
		fireEvent.click(screen.getByRole("button", { name: /^Send it/ }));
		await waitFor(() => expect(preferences.value.firstAction).toBe(threadId));
		expect(calls.map(({ method }) => method)).toEqual(["listTools", "addTools", "send"]);
		expect(sentMessage.value).toMatchObject({ threadId, prompt: calls[2]?.params.prompt });
		expect(calls[1]?.params).toEqual({ example: "calendar" });
		expect(calls[2]?.params).toMatchObject({ routing: { executionTarget: "agent", providerId: "script" } });
		expect(String(calls[2]?.params.prompt)).toContain("tools.calendar.createEvent(");
	});

	it("leaves a calendar alone that is there, and sends nothing if the example cannot be added", async () => {
		const calls = fakeApp({ listTools: { integrations: [integration("calendar")] }, send: sent });
		render(<FirstRun />, { wrapper: app().wrapper });
		fireEvent.click(screen.getByRole("button", { name: /^Send it/ }));
		await waitFor(() => expect(calls.map(({ method }) => method)).toEqual(["listTools", "send"]));
		cleanup();
		const refused = fakeApp({ listTools: { integrations: [] }, addTools: new Refused("DISK_FULL", "The disk is full."), send: sent });
		render(<FirstRun />, { wrapper: app().wrapper });
		fireEvent.click(screen.getByRole("button", { name: /^Send it/ }));
		await waitFor(() => expect(untold.value.map(({ text }) => text).join()).toContain("The disk is full."));
		expect(refused.map(({ method }) => method)).toEqual(["listTools", "addTools"]);
	});

	it("plans for tomorrow by this computer's calendar, also at the end of a month", () => {
		expect(actionProgram(new Date(2026, 10, 30, 23, 59))).toMatch(/start: "2026-12-01T09:00:00[+-]\d\d:\d\d"/);
		expect(actionProgram(new Date(2026, 0, 1, 0, 0))).toMatch(/end: "2026-01-02T09:30:00[+-]\d\d:\d\d"/);
		const start = /start: "([^"]+)"/.exec(actionProgram(new Date(2026, 6, 1)))?.[1] ?? "";
		expect(new Date(start)).toEqual(new Date(2026, 6, 2, 9, 0));
	});

	it("says which press is next, until the receipts were opened", () => {
		setPreferences({ firstAction: threadId });
		const thread = { pendingTurnId: "turn1" as never };
		const here = new InApp({ ...appState, threads: [summary("thread1", 0, thread)] });
		const { rerender } = render(<FirstSteps threadId={threadId} />, { wrapper: here.wrapper });
		expect(document.querySelector("[aria-current=step]")?.textContent).toBe("2Decide");
		here.app.set({ ...appState, threads: [summary("thread1", 0)] });
		rerender(<FirstSteps threadId={threadId} />);
		const last = screen.getByRole("link", { name: "See the receipts" });
		expect(last.getAttribute("href")).toBe("#/receipts?threadId=thread1");
		fireEvent.click(last);
		rerender(<FirstSteps threadId={threadId} />);
		expect(screen.queryByRole("list")).toBeNull();
		expect(JSON.parse(localStorage.getItem("xworkmate.look") ?? "{}").firstAction).toBeUndefined();
	});
});
