import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ThreadDetail, ThreadFiles } from "../../../src/api/ui-api.ts";
import { Frame } from "../../../src/ui/frame.tsx";
// Loaded on demand in a browser; here the first one would wait for its compilation.
import "../../../src/ui/overlays/overlays.tsx";
import "../../../src/ui/pages/new-thread-page.tsx";
import "../../../src/ui/pages/thread-page.tsx";
import { go, hrefOf, parseRoute, type Route } from "../../../src/ui/state/route.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, at, ended, summary } from "../stories.ts";

const threadId = ThreadId.parse("draft:2026-01-02-a");
const file = { runId: "run1", relativePath: "a folder/50% ?#=/ü.md" };

const [planId, occurrenceId] = ["a plan", "a plan-1"];
/** Each page with all that its address can hold. */
const addresses: { readonly [Page in Route["page"]]: readonly Extract<Route, { page: Page }>[] } = {
	home: [{ page: "home" }],
	new: [{ page: "new" }],
	settings: [{ page: "settings", part: "look" }],
	log: [
		{ page: "log", threadId, turnId: TurnId.parse("turn1") },
		{ page: "log", threadId, turnId: TurnId.parse("turn1"), line: 12 },
	],
	thread: [
		{ page: "thread", threadId },
		{ page: "thread", threadId, panel: {} },
		{ page: "thread", threadId, panel: { file } },
	],
	changes: [
		{ page: "changes", threadId },
		{ page: "changes", threadId, runId: RunId.parse("run1") },
	],
	receipts: [{ page: "receipts" }, { page: "receipts", filter: { planId, days: "7" }, call: "run1.4" }],
	tools: [{ page: "tools" }, { page: "tools", review: "calendar" }],
	plans: [{ page: "plans" }],
	"new-plan": [{ page: "new-plan" }],
	"edit-plan": [{ page: "edit-plan", planId }],
	"plan-log": [{ page: "plan-log", planId }],
	plan: [
		{ page: "plan", planId },
		{ page: "plan", planId, occurrenceId, history: true },
	],
	review: [
		{ page: "review", planId, occurrenceId },
		{ page: "review", planId, occurrenceId, actionId: "a plan-1-1" },
	],
	inbox: [{ page: "inbox" }, { page: "inbox", messageId: "message 1" }],
};

it.each(Object.values(addresses).flat())("the address of %j leads there again", (route) =>
	expect(parseRoute(hrefOf(route))).toEqual(route),
);

it.each(["#/t/a?other", "#/t/a?", "#/t/a?file=run1/a.md"])("%s opens no panel", (hash) =>
	expect(parseRoute(hash)).toEqual({ page: "thread", threadId: "a" }),
);

it.each(["#/t/a?files=", "#/t/a?files=run1", "#/t/a?files=run1/%E0%A4%A", "#/t/a?files=/a.md"])("%s opens the list alone", (hash) =>
	expect(parseRoute(hash)).toEqual({ page: "thread", threadId: "a", panel: {} }),
);

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	const turn = ended({}, undefined);
	const thread = { threadId, sessionId: SessionId.parse(threadId), title: "t", lifecycleStatus: "ready" as const };
	const times = { createdAt: at(0), updatedAt: at(1) };
	const detail: ThreadDetail = {
		thread: { ...thread, ...times, lastTaskArtifactRelativePaths: [], turns: [turn.turn], deleted: false },
		...{ turns: [turn], folder: "/home/threads/t", queued: [], queueHeld: false },
	};
	const listed = { relativePath: file.relativePath, state: "checked" as const, mediaType: "text/markdown", sizeBytes: 1 };
	const run = { turnId: turn.turn.turnId, runId: RunId.parse("run1"), createdAt: at(1), current: true };
	const files: ThreadFiles = {
		folder: "/home/threads/t",
		runs: [{ ...run, files: [listed], count: 1, totalBytes: 1, rejected: [], rejectedCount: 0 }],
	};
	app.answers.set("readThread", () => detail);
	app.answers.set("listFiles", () => files);
	app.answers.set("recentPrompts", () => []);
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
	location.hash = "";
});

const isFileOpen = () => screen.queryByRole("region", { name: `Preview of ${file.relativePath}` }) !== null;
const isPanelOpen = () => screen.queryByRole("complementary", { name: "Files" }) !== null;
const show = (to: Route) => act(async () => go(to));

it("shows the files and the open one that its address names, and what is opened and closed goes into the address", async () => {
	await show({ page: "thread", threadId, panel: { file } });
	const here = new InApp({ ...appState, threads: [summary(threadId, 1)] });
	render(<Frame />, { wrapper: here.wrapper });
	// A thread's page is loaded on demand.
	await act(async () => void (await import("../../../src/ui/pages/thread-page.tsx")));
	await act(() => until("the file shows", isFileOpen));
	const conversation = screen.getByRole("main");
	fireEvent.click(screen.getByRole("button", { name: "Close preview" }));
	await act(() => until("the list alone shows", () => isPanelOpen() && !isFileOpen()));
	expect(location.hash).toBe(hrefOf({ page: "thread", threadId, panel: {} }));
	fireEvent.click(screen.getByRole("button", { name: "Close files" }));
	await act(() => until("the panel is closed", () => !isPanelOpen()));
	expect(location.hash).toBe(hrefOf({ page: "thread", threadId }));
	await show({ page: "thread", threadId, panel: {} });
	await act(() => until("the panel is open again", isPanelOpen));
	// The conversation beside it is the same all the while: nothing typed or scrolled is lost.
	expect(screen.getByRole("main")).toBe(conversation);
});
