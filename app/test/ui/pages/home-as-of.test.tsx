import { act, cleanup, render, screen } from "@testing-library/react";
import type { Timestamp } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PlanCounts } from "../../../src/api/plan-view.ts";
import { Frame } from "../../../src/ui/frame.tsx";
// Loaded on demand in a browser; here the first one would wait for its compilation.
import "../../../src/ui/overlays/overlays.tsx";
import { route } from "../../../src/ui/state/route.ts";
import { formatTime } from "../../../src/ui/text/format.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { InApp } from "../in-app.tsx";
import { approval, appState, at, summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	route.set({ page: "home" });
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
});

const asOf = at(5) as Timestamp;
const counts: PlanCounts = { needsReview: 0, unread: 0 };
const nothing = () => screen.queryByText(/^Nothing (is|was) running/)?.textContent;

function show(state: Partial<typeof appState>): InApp {
	const here = new InApp({ ...appState, threads: [summary("thread1", 1)], plans: counts, ...state });
	here.heardAt = at(5);
	render(<Frame />, { wrapper: here.wrapper });
	return here;
}

describe("what Home says of an empty list", () => {
	it("[D4] has its time while the app is away, or the bridge reports no changes", () => {
		const here = show({});
		const was = `Nothing was running or waiting for you as of ${formatTime(asOf)}.`;
		expect(nothing()).toBe("Nothing is running or waiting for you.");
		act(() => here.app.set({ ...here.app.value, plans: { ...counts, asOf } }));
		expect(nothing()).toBe(was);
		act(() => here.app.set({ ...here.app.value, plans: counts }));
		act(() => here.link.set("gone"));
		expect(nothing()).toBe(was);
	});

	it("[D4] is nothing before the bridge has listed its plans", () => {
		const here = show({ plans: { ...counts, known: false } });
		expect(nothing()).toBeUndefined();
		act(() => here.app.set({ ...here.app.value, plans: { ...counts, known: true } }));
		expect(nothing()).toBe("Nothing is running or waiting for you.");
	});

	it("[D4] is said of the threads alone if the bridge was away before it could list its plans", () => {
		const here = show({ plans: { ...counts, known: false }, bridge: { ...appState.bridge, state: "unreachable" } });
		expect(nothing()).toBeUndefined();
		screen.getByText("No thread is running or waiting for you.");
		here.heardAt = at(5);
		act(() => here.link.set("gone"));
		expect(screen.queryByText("No thread is running or waiting for you.")).toBeNull();
	});
});

describe("the number in the tab's title and on a phone's way back", () => {
	const asked = approval({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
	const shown = () => [document.title, screen.getByRole("button", { name: /^Back to threads/ }).getAttribute("aria-label")];
	const without = ["Home - XWorkmate", "Back to threads"];

	it.each([
		["the bridge reports no changes", { ...counts, asOf }],
		["the bridge has not listed its plans yet", { ...counts, known: false }],
	])("[D20] is absent while %s", (_when, plans) => {
		const here = show({ approvals: [asked] });
		expect(shown()).toEqual(["(1) Home - XWorkmate", "Back to threads, 1 waiting for you"]);
		act(() => here.app.set({ ...here.app.value, plans }));
		expect(shown()).toEqual(without);
	});

	it("[D20] is that of the threads if the bridge was away before it could list its plans", () => {
		show({ approvals: [asked], plans: { ...counts, known: false }, bridge: { ...appState.bridge, state: "unreachable" } });
		expect(shown()).toEqual(["(1) Home - XWorkmate", "Back to threads, 1 waiting for you"]);
	});

	it("[D20] is absent while the app is away", () => {
		const here = show({ approvals: [asked] });
		act(() => here.link.set("gone"));
		expect(shown()).toEqual(without);
	});
});
