import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mentionAt, withMention } from "../../../src/ui/composer/mention-at.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { compose, composerApp, leaveComposer } from "./composer-scene.tsx";

describe("a file's name after @", () => {
	it.each([
		["at the beginning", "@rep", 4, "rep"],
		["after a space", "see @a/b", 8, "a/b"],
		["after a bracket", "(@x", 3, "x"],
		["not begun yet", "see @", 5, ""],
		["of an address", "me@example.org", 14, undefined],
		["behind the caret", "@rep", 1, ""],
		["before the caret, with words after it", "@rep is", 7, undefined],
		["further away than a name is long", `@${"x".repeat(200)}`, 201, undefined],
	])("%s", (_, prompt, caret, text) => {
		expect(mentionAt(prompt, caret)?.text).toBe(text);
	});

	it("is replaced by the whole name, in quotation marks if it has a space, and the rest stays", () => {
		const at = { from: 4, to: 8, text: "rep" };
		expect(withMention("see @rep, ok", at, "out/report.md")).toEqual({ prompt: "see out/report.md , ok", caret: 18 });
		expect(withMention("see @rep", at, "my report.md")).toEqual({ prompt: 'see "my report.md" ', caret: 19 });
	});
});

describe("@ in a message", () => {
	let app: FakeApp;
	beforeEach(() => {
		app = composerApp();
		app.answers.set("mentionableFiles", () => ["out/report.md", "notes.txt", "a<b>\u200B.md"]);
	});
	afterEach(() => leaveComposer(app));

	const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
	const type = (text: string) => {
		fireEvent.change(field(), { target: { value: text } });
		field().setSelectionRange(text.length, text.length);
		fireEvent.keyUp(field());
	};
	const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

	it("offers the files by keyboard; Enter writes the name and sends nothing", async () => {
		compose(app);
		type("read @");
		expect(await screen.findByRole("listbox", { name: "Files in this thread and its project folder" })).toBeTruthy();
		expect(options()).toEqual(["out/report.md", "notes.txt", "a<b>⟨U+200B⟩.md"]);
		fireEvent.keyDown(field(), { key: "ArrowDown" });
		expect(field().getAttribute("aria-activedescendant")).toBe(screen.getByRole("option", { selected: true }).id);
		fireEvent.keyDown(field(), { key: "Enter" });
		expect([field().value, options()]).toEqual(["read notes.txt ", []]);
		type("read notes.txt now");
		fireEvent.keyDown(field(), { key: "Enter" });
		await act(() => until("the message is sent", () => app.of("send").some(({ prompt }) => prompt === "read notes.txt now")));
		expect(app.of("send")).toHaveLength(1);
	});

	it("narrows what is offered, and Esc closes it without losing what is typed", async () => {
		compose(app);
		type("@repo");
		await screen.findByRole("listbox");
		expect(options()).toEqual(["out/report.md"]);
		fireEvent.keyDown(field(), { key: "Escape" });
		expect([field().value, options()]).toEqual(["@repo", []]);
		fireEvent.keyDown(field(), { key: "Enter" });
		await act(() => until("it is sent as it was typed", () => app.of("send").length === 1));
	});
});
