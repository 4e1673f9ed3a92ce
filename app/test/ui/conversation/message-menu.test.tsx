import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ContinuedNote } from "../../../src/ui/conversation/continued-note.tsx";
import { MessageMenu } from "../../../src/ui/conversation/message-menu.tsx";
import { messageMenu } from "../../../src/ui/conversation/message-menu-state.ts";
import { UserMessage } from "../../../src/ui/conversation/user-message.tsx";
import { parseRoute, route } from "../../../src/ui/state/route.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { ended, snapshot, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	act(() => messageMenu.set(undefined));
	location.hash = "";
	vi.restoreAllMocks();
});

const { threadId } = summary("a", 1);
const detail = ended({}, snapshot({}));

function show(edit = (_detail: typeof detail) => undefined) {
	const written: string[] = [];
	vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void written.push(text));
	render(
		<div className="frame">
			<UserMessage detail={detail} />
			<MessageMenu threadId={threadId} edit={edit} />
			<form className="box">
				<textarea aria-label="Message" />
			</form>
		</div>,
		{ wrapper: new InApp().wrapper },
	);
	return written;
}
const isOpen = () => messageMenu.value?.isOpen === true;
const button = () => screen.getByRole("button", { name: "Actions for your message" });
const choose = (name: string) => fireEvent.click(screen.getByRole("menuitem", { name }));

describe("the menu of a message", () => {
	it("opens by its button, and copies the message as it was written", async () => {
		const written = show();
		fireEvent.click(button());
		choose("Copy message");
		await act(() => until("it is copied", () => written.length === 1));
		expect(written).toEqual(["do it"]);
	});

	it("opens by a right click and by the menu key, but not over selected text, links and fields", () => {
		// Another test of the same page may have left a selection.
		getSelection()?.removeAllRanges();
		show();
		const text = screen.getByText("do it");
		fireEvent.contextMenu(text, { button: 2, shiftKey: true });
		expect(isOpen()).toBe(false);
		fireEvent.contextMenu(text, { button: 2, clientX: 5, clientY: 6 });
		expect([isOpen(), messageMenu.value?.point]).toEqual([true, { x: 5, y: 6 }]);
		act(() => messageMenu.set(undefined));
		// The menu key, or Shift+F10: the event comes from what has the focus.
		fireEvent.contextMenu(button(), { button: 0, shiftKey: true });
		expect([isOpen(), messageMenu.value?.point]).toEqual([true, undefined]);
		act(() => messageMenu.set(undefined));
		const range = document.createRange();
		range.selectNodeContents(text);
		getSelection()?.addRange(range);
		fireEvent.contextMenu(text, { button: 2 });
		expect(isOpen()).toBe(false);
		getSelection()?.removeAllRanges();
	});

	it("copies an answer as it was written, and says that its marks are not copied", async () => {
		const written = show();
		const copied = async (grounding: NonNullable<ReturnType<typeof snapshot>["grounding"]>) => {
			untold.set([]);
			const checked = ended({}, snapshot({ grounding }));
			act(() => messageMenu.set({ detail: checked, answer: "I *sent* it.", button: button(), isOpen: true }));
			choose("Copy answer as Markdown");
			await act(() => until("it is said", () => untold.value.length === 1));
			return untold.value[0]?.text;
		};
		expect(await copied({ state: "grounded", problems: [] })).toBe("Copied");
		const problems = [{ code: "CLAIM_WITHOUT_ACTION" as const, start: 0, end: 12 }];
		expect(await copied({ state: "unverified", problems })).toBe(
			"Copied as the agent wrote it, without the marks for claims that couldn’t be verified.",
		);
		expect(written).toEqual(["I *sent* it.", "I *sent* it."]);
	});

	it("hands the message to the composer, and sends nothing", () => {
		const edited: unknown[] = [];
		show((turn) => void edited.push(turn));
		fireEvent.click(button());
		choose("Edit and send again");
		expect(edited).toEqual([detail]);
	});

	it("leaves the focus where the user goes on: in the message that is edited, otherwise at its button", async () => {
		show();
		const focused = (name: string) =>
			act(() => until(`${name} has the focus`, () => document.activeElement?.getAttribute("aria-label") === name));
		for (const [item, name] of [
			["Edit and send again", "Message"],
			["Copy message", "Actions for your message"],
		] as const) {
			button().focus();
			fireEvent.click(button());
			choose(item);
			await focused(name);
		}
	});

	it("closes when another page opens, where it would act on a message that is not shown", () => {
		show();
		fireEvent.click(button());
		expect(screen.getByRole("menu")).toBeTruthy();
		act(() => route.set(parseRoute("#/t/b")));
		expect([messageMenu.value, screen.queryByRole("menu")]).toEqual([undefined, null]);
	});

	it("leads to a new thread that names the message, and of which the address is read back", () => {
		show();
		fireEvent.click(button());
		choose("Continue from here in a new thread");
		expect(location.hash).toBe(`#/new?from=a/${detail.turn.turnId}`);
		expect(parseRoute(location.hash)).toEqual({ page: "new", from: { threadId, turnId: detail.turn.turnId } });
		expect(parseRoute("#/new?from=a")).toEqual({ page: "new" });
	});
});

describe("a thread that continues another", () => {
	const note = (given: number, leftOut: number, title = "A <b>\u202E") => {
		render(<ContinuedNote continued={{ threadId, turnId: detail.turn.turnId, title, given, leftOut }} />);
		const text = document.querySelector(".continued")?.textContent ?? "";
		cleanup();
		return text;
	};

	it("says what its agent was given, with what the title hides", () => {
		expect(note(2, 0)).toContain(
			"Continues “A <b>⟨U+202E⟩”. The first message here was sent with 2 messages from that thread as text, including answers but not files.",
		);
		expect(note(1, 3)).toContain(
			"only 1 message from that thread as text, including answers but not files. There was no room for 3 earlier messages.",
		);
		expect(note(0, 2)).toContain("Script runs a program and gets nothing from that thread.");
	});
});
