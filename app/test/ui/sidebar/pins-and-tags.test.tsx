import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { askTags, askUsage } from "../../../src/ui/sidebar/asked-dialog.ts";
import { SideEdge } from "../../../src/ui/sidebar/side-edge.tsx";
import { TagFilter } from "../../../src/ui/sidebar/tag-filter.tsx";
import { ThreadDialogs } from "../../../src/ui/sidebar/thread-dialogs.tsx";
import { preferences } from "../../../src/ui/state/preferences.ts";
import { tagFilter, tagsOf, withTag } from "../../../src/ui/state/tag-filter.ts";
import { groupThreads } from "../../../src/ui/turn/thread-state.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, at, BEGIN, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	act(() => tagFilter.set(undefined));
});

const pinned = { pinnedAt: at(1) };
const groups = (withPins: boolean) =>
	groupThreads(
		[
			summary("old", 1, pinned),
			summary("asked", 2, pinned),
			summary("gone", 3, { ...pinned, lifecycleStatus: "archived" }),
			summary("plain", 4),
		],
		new Set(["asked"]),
		BEGIN,
		withPins,
	).map(({ group, threads }) => [group, ...threads.map(({ thread }) => thread.title)]);

describe("pinned threads", () => {
	it("are on top of the list, after those that wait for the user, and not when they are archived", () => {
		expect(groups(true)).toEqual([
			["needs", "asked"],
			["pinned", "old"],
			["today", "plain"],
			["archived", "gone"],
		]);
		expect(groups(false).map(([group]) => group)).toEqual(["needs", "today", "archived"]);
	});
});

describe("the usage of a thread", () => {
	it("is asked for that thread alone, and none is invented", async () => {
		using app = new FakeApp();
		app.answers.set("usage", () => []);
		const thread = summary("a", 1, { title: "<b>\u202E" });
		render(
			<div className="frame">
				<ThreadDialogs />
			</div>,
			{ wrapper: new InApp({ ...appState, threads: [thread] }).wrapper },
		);
		act(() => askUsage(thread));
		expect(await screen.findByText("No agent run has ended in this thread yet.")).toBeTruthy();
		expect(screen.getByText("Usage of “<b>⟨U+202E⟩”")).toBeTruthy();
		expect(app.of("usage")).toEqual([{ threadId: "a" }]);
		fireEvent.click(screen.getByRole("button", { name: "Close" }));
	});
});

describe("the sidebar's edge", () => {
	it("is moved by keys within bounds, kept, and put back by a double click", () => {
		render(<SideEdge />);
		const edge = screen.getByRole("separator", { name: "Width of the sidebar" });
		fireEvent.keyDown(edge, { key: "End" });
		expect(preferences.value.sideWidth).toBe(480);
		fireEvent.keyDown(edge, { key: "Home" });
		expect(preferences.value.sideWidth).toBe(220);
		fireEvent.keyDown(edge, { key: "ArrowLeft", ctrlKey: true });
		expect(JSON.parse(localStorage.getItem("xworkmate.look") ?? "")).toMatchObject({ sideWidth: 220 });
		fireEvent.doubleClick(edge);
		expect(preferences.value.sideWidth).toBeUndefined();
	});
});

describe("tags", () => {
	const threads = [summary("a", 2, { tags: ["Café", "work"] }), summary("b", 1, { tags: ["cafe"] }), summary("c", 0)];

	it("narrow the list, whatever their case and accents; one that no thread has any more hides nothing", () => {
		expect(tagsOf(threads)).toEqual(["Café", "work"]);
		expect(withTag(threads, "CAFE").map(({ title }) => title)).toEqual(["a", "b"]);
		expect(withTag(threads, "gone")).toBe(threads);
	});

	it("are buttons that can be pressed and released, with what they hide shown", () => {
		render(<TagFilter />, { wrapper: new InApp({ ...appState, threads: [summary("a", 1, { tags: ["x\u202E<b>"] })] }).wrapper });
		const button = screen.getByRole("button", { name: "Tag x⟨U+202E⟩<b>" });
		fireEvent.click(button);
		expect([tagFilter.value, button.getAttribute("aria-pressed")]).toEqual(["x\u202E<b>", "true"]);
		fireEvent.click(button);
		expect(tagFilter.value).toBeUndefined();
	});

	it("are written in a dialog that says what is wrong before it saves", async () => {
		using app = new FakeApp();
		const [thread] = threads;
		if (thread === undefined) throw new Error("no thread");
		render(
			<div className="frame">
				<ThreadDialogs />
			</div>,
			{ wrapper: new InApp({ ...appState, threads }).wrapper },
		);
		act(() => askTags(thread));
		const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Tags, separated by commas" });
		expect(field.value).toBe("Café, work");
		fireEvent.change(field, { target: { value: "one, ONE" } });
		expect(screen.getByText("Two of these tags are the same. Case and accents are ignored.")).toBeTruthy();
		expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
		fireEvent.change(field, { target: { value: " to read , work,," } });
		fireEvent.click(screen.getByRole("button", { name: "Save" }));
		await act(() => until("they are saved", () => app.of("markThread").length === 1));
		expect(app.of("markThread")).toEqual([{ threadId: "a", tags: ["to read", "work"] }]);
	});

	it("that another window adds or removes while the dialog is open are kept so, and appear in an unchanged field", async () => {
		using app = new FakeApp();
		const here = new InApp({ ...appState, threads });
		render(
			<div className="frame">
				<ThreadDialogs />
			</div>,
			{ wrapper: here.wrapper },
		);
		const store = (...tags: readonly string[]) => act(() => here.app.set({ ...appState, threads: [summary("a", 2, { tags })] }));
		act(() => askTags(summary("a", 2)));
		const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Tags, separated by commas" });
		store("work", "home");
		expect(field.value).toBe("work, home");
		fireEvent.change(field, { target: { value: "work, home, mine" } });
		store("home", "theirs", "MINE");
		expect(field.value).toBe("work, home, mine");
		fireEvent.click(screen.getByRole("button", { name: "Save" }));
		await act(() => until("they are saved", () => app.of("markThread").length === 1));
		expect(app.of("markThread")).toEqual([{ threadId: "a", tags: ["home", "mine", "theirs"] }]);
	});
});
