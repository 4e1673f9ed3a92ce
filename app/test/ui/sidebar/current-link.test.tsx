import { act, cleanup, render, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { Sidebar } from "../../../src/ui/sidebar/sidebar.tsx";
import { ThreadRow } from "../../../src/ui/sidebar/thread-row.tsx";
import { type Route, route } from "../../../src/ui/state/route.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	act(() => route.set({ page: "home" }));
});

const current = () => screen.queryAllByRole("link", { current: "page" }).map(({ textContent }) => textContent);
const ofPlan = { planId: "p1" };
const threadId = ThreadId.parse("a");

it.each<[Route, string[]]>([
	[{ page: "home" }, ["Home"]],
	[{ page: "plans" }, ["Plans"]],
	[{ page: "new-plan" }, ["Plans"]],
	[{ page: "plan", ...ofPlan }, ["Plans"]],
	[{ page: "edit-plan", ...ofPlan }, ["Plans"]],
	[{ page: "plan-log", ...ofPlan }, ["Plans"]],
	[{ page: "review", ...ofPlan, occurrenceId: "o1" }, ["Plans"]],
	[{ page: "inbox", messageId: "m1" }, ["Inbox"]],
	[{ page: "receipts", call: "c1" }, ["Receipts"]],
	[{ page: "tools", review: "calendar" }, ["Tools"]],
	[{ page: "settings", part: "general" }, []],
])("the sidebar marks the link that the page is below: %j", (here, marked) => {
	using _app = new FakeApp();
	route.set(here);
	render(<Sidebar />, { wrapper: new InApp().wrapper });
	expect(current()).toEqual(marked);
});

it.each<[Route, boolean]>([
	[{ page: "thread", threadId }, true],
	[{ page: "log", threadId, turnId: TurnId.parse("t") }, true],
	[{ page: "changes", threadId }, true],
	[{ page: "changes", threadId: ThreadId.parse("b") }, false],
])("the list marks the thread that the page is about: %j", (here, isMarked) => {
	route.set(here);
	const row = { thread: summary("a", 1), state: "succeeded", isStop: true } as const;
	render(<ThreadRow {...row} />, { wrapper: new InApp(appState).wrapper });
	expect(current()).toHaveLength(isMarked ? 1 : 0);
});
