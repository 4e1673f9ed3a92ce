import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Sidebar } from "../../../src/ui/sidebar/sidebar.tsx";
import { tagFilter } from "../../../src/ui/state/tag-filter.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	// happy-dom lays nothing out, and the list shows only rows that are in sight.
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(300);
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
	vi.restoreAllMocks();
	act(() => tagFilter.set(undefined));
});

const threads = [summary("a", 2, { title: "The needle" }), summary("b", 1, { title: "A needle", tags: ["Café"] })];
const found = (...threadIds: readonly string[]) => threadIds.map((threadId) => ({ threadId, excerpt: "needle" }));
const show = () => {
	const here = new InApp({ ...appState, threads });
	render(<Sidebar />, { wrapper: here.wrapper });
	fireEvent.change(screen.getByRole("searchbox", { name: "Search threads" }), { target: { value: "needle" } });
	return here;
};

it("a page that another displaced says that it is connecting again, not that the app doesn't respond", async () => {
	app.answers.set("searchThreads", () => new Promise(() => {}));
	const here = show();
	act(() => here.link.set("connecting"));
	screen.getByText("Connecting to the app…");
	expect(screen.queryByText(/respond/)).toBeNull();
	act(() => here.link.set("gone"));
	screen.getByText("App not responding");
	screen.getByText("Couldn’t search for “needle”. The app isn’t responding.");
});

const heading = () => screen.getByRole("heading", { name: /Results/ }).textContent;

describe("what a search found", () => {
	it("is not called all there is if the search stopped before it had looked at all threads", async () => {
		app.answers.set("searchThreads", () => ({ threads: found("a", "b"), isFull: true }));
		const here = show();
		await act(() => until("it is said", () => here.said.includes("2 or more results")));
		expect(heading()).toBe("Results 2+");
	});

	it("stays in the list until the search with another tag is answered, because it isn’t all that has this tag", async () => {
		let answer: (found: object) => void = () => {};
		app.answers.set("searchThreads", ({ tag }) =>
			tag === undefined ? { threads: found("a"), isFull: true } : new Promise((done) => (answer = done)),
		);
		const here = show();
		await act(() => until("it is said", () => here.said.includes("1 or more results")));
		act(() => tagFilter.set("Café"));
		await act(() => until("it is asked", () => app.of("searchThreads").some(({ tag }) => tag === "Café")));
		expect([heading(), here.said.filter((said) => said.startsWith("No results"))]).toEqual(["Results 1+", []]);
		await act(async () => answer({ threads: found("b"), isFull: false }));
		await act(() => until("it is said", () => here.said.includes("1 result")));
		expect(heading()).toBe("Results 1");
	});
});
