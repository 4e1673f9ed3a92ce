import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { isPaletteOpen, togglePalette } from "../../../src/ui/keys/open-palette.ts";
import { Palette } from "../../../src/ui/palette/palette.tsx";
import { askedDialog } from "../../../src/ui/sidebar/asked-dialog.ts";
import { preferences } from "../../../src/ui/state/preferences.ts";
import { route } from "../../../src/ui/state/route.ts";
import { searchText } from "../../../src/ui/state/search-text.ts";
import { until } from "../../support/until.ts";
import { provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { ended, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	act(() => {
		isPaletteOpen.set(false);
		askedDialog.set(undefined);
		searchText.set("");
		route.set({ page: "home" });
	});
	location.hash = "";
});

const turn = ended({}, undefined).turn;
const threads = [
	summary("a", 2, { title: "The site", lastTurn: turn }),
	summary("b", 1, { title: "\u202Eevil <b>bold</b>\u0007", lifecycleStatus: "archived" }),
];

function show(more: Partial<ReturnType<typeof stateOf>> = {}) {
	const here = new InApp({ ...stateOf(provider("codex", true), provider("goose", false)), threads, ...more });
	render(
		<div className="frame">
			<button type="button">before</button>
			<Palette />
		</div>,
		{ wrapper: here.wrapper },
	);
	screen.getByRole("button", { name: "before" }).focus();
	act(() => void togglePalette());
	return here;
}

const field = () => screen.getByRole("combobox", { name: "Search commands, threads and agents" });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const press = (key: string) => fireEvent.keyDown(field(), { key });
const lines = () => screen.getAllByRole("option").map(({ textContent }) => textContent ?? "");
const current = () => screen.getByRole("option", { selected: true }).textContent ?? "";

describe("the command palette", () => {
	it("opens a thread by the words of its title, without a pointer", async () => {
		show();
		type("site");
		press("Enter");
		await act(() => until("it is opened", () => location.hash === "#/t/a"));
		expect(isPaletteOpen.value).toBe(false);
	});

	it("moves with the arrow keys, around the ends, and tells the field which line it is on", () => {
		show();
		type("set");
		const first = current();
		expect(field().getAttribute("aria-activedescendant")).toBe(screen.getByRole("option", { selected: true }).id);
		press("ArrowUp");
		expect(current()).toContain("Search all threads for “set”");
		press("ArrowDown");
		expect(current()).toBe(first);
	});

	it("gives the focus back when it is closed without a choice", async () => {
		show();
		await act(() => until("the field has the focus", () => document.activeElement === field()));
		fireEvent.keyDown(field(), { key: "Escape" });
		await act(() => until("the focus is back", () => document.activeElement?.textContent === "before"));
	});

	it("shows names from elsewhere with what they hide", () => {
		show();
		type("evil");
		expect(lines()[0]).toBe("⟨U+202E⟩evil <b>bold</b>⟨U+0007⟩Thread, archived");
		expect(document.querySelector(".palette b")).toBeNull();
	});

	it("hands a text on to the search of messages and files, also when nothing is named so", async () => {
		const here = show();
		type("quarterly figures");
		expect(screen.getByText("No commands or threads match “quarterly figures”.")).toBeTruthy();
		expect(here.said.at(-1)).toBe("No commands or threads match “quarterly figures”.");
		press("Enter");
		await act(() => until("it is searched for", () => searchText.value === "quarterly figures"));
	});

	it("offers what the open thread can do, and Stop only while it runs", () => {
		act(() => route.set({ page: "thread", threadId: threads[0]?.threadId ?? expect.fail() }));
		show();
		expect(lines()[0]).toContain("Find in this thread");
		cleanup();
		act(() => isPaletteOpen.set(false));
		show({ threads: [summary("a", 2, { lastTurn: turn, pendingTurnId: turn.turnId })] });
		expect(lines()[0]).toContain("Stop this run");
	});

	it("asks before it deletes, and leads to an agent that can be used or to why it can't", async () => {
		act(() => route.set({ page: "thread", threadId: threads[0]?.threadId ?? expect.fail() }));
		show();
		type("delete");
		press("Enter");
		await act(() => until("it is asked", () => askedDialog.value?.what === "delete"));
		cleanup();
		act(() => askedDialog.set(undefined));
		show();
		type("goose");
		expect(current()).toContain("Agent, not available");
		press("Enter");
		await act(() => until("its page is open", () => location.hash === "#/settings/agents"));
		cleanup();
		show();
		type("codex");
		press("Enter");
		await act(() => until("a thread with it begins", () => location.hash === "#/new"));
		expect(preferences.value.providerId).toBe("codex");
	});

	it("is not shown over a dialog", () => {
		const dialog = document.createElement("div");
		dialog.className = "dialog";
		document.body.append(dialog);
		expect(togglePalette()).toBe(false);
		expect(isPaletteOpen.value).toBe(false);
		dialog.remove();
	});
});
