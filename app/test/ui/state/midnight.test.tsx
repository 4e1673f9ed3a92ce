import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, it, vi } from "vitest";
import { App } from "../../../src/ui/app.tsx";
import { AppLink } from "../../../src/ui/connection/app-link.ts";
// Loaded on demand in a browser; here the first one would wait for its compilation.
import "../../../src/ui/overlays/overlays.tsx";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { appState, summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	// Without a layout, the list would have no room for a row.
	for (const size of ["clientHeight", "offsetHeight", "offsetWidth"] as const)
		vi.spyOn(HTMLElement.prototype, size, "get").mockReturnValue(600);
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
	vi.restoreAllMocks();
});

it("a page that stays open over midnight no longer shows a time of yesterday as one of today", async () => {
	const morning = new Date(2026, 10, 27, 8, 37);
	const clock = vi.spyOn(Date, "now").mockReturnValue(new Date(2026, 10, 27, 23, 59).getTime());
	const link = new AppLink();
	render(<App link={link} />);
	link.start();
	await act(() => until("it asks for the state", () => app.streams.length === 1));
	const thread = summary("report", 0, { updatedAt: morning.toISOString() as never });
	await act(async () => app.stream?.line({ type: "state", state: { ...appState, threads: [thread] } }));
	await screen.findByRole("searchbox", { name: "Search threads" });
	const shown = () => document.querySelector("[data-thread=report] time")?.textContent;
	await act(() => until("it is of today", () => shown() === "08:37"));
	clock.mockReturnValue(new Date(2026, 10, 28, 0, 1).getTime());
	await act(() => until("it is of yesterday", () => shown() === "Fri", 3_000));
	link.close();
});
