import { isDeepStrictEqual } from "node:util";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { TurnId } from "@xworkmate/contracts";
import { createRef } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { QueuedMessage, ThreadDetail } from "../../../src/api/ui-api.ts";
import type { ComposerHandle } from "../../../src/ui/composer/composer-handle.ts";
import { QueuedList } from "../../../src/ui/queue/queued-list.tsx";
import { hintOfThread } from "../../../src/ui/turn/thread-hint.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { compose, composerApp, detail, leaveComposer } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { at, ended, summary } from "../stories.ts";

let app: FakeApp;
let count = 0;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

describe("a queued message that is edited", () => {
	/** A list with one message, as the app has it: what is typed for one test's message is not another's. */
	const scene = (typed?: string) => {
		const queuedId = TurnId.parse(`edited-${count++}`);
		const routing = { executionTarget: "agent" as const };
		let message: QueuedMessage = {
			queuedId,
			prompt: "old",
			routing,
			attachments: [],
			createdAt: at(0),
			...(typed !== undefined && { typed }),
		};
		app.answers.set("editQueued", ({ change }) => {
			const { typed: before = message.prompt, ...rest } = message;
			const { prompt, typed, isEdited } = change as { prompt?: string; typed?: string; isEdited?: boolean };
			const now = typed ?? (isEdited === true ? before : undefined);
			message = { ...rest, ...(prompt !== undefined && { prompt }), ...(now !== undefined && { typed: now }) };
			return [message];
		});
		const above: string[] = [];
		const composer = createRef<ComposerHandle>();
		const still = { write: () => undefined, writeAgain: () => undefined, choose: () => undefined, focus: () => undefined };
		composer.current = { ...still, isFree: async () => true, takeUp: () => undefined, putAbove: (text) => void above.push(text) };
		const shown = (more: Partial<ThreadDetail> = {}) => (
			<QueuedList detail={detail({ queued: [message], ...more })} composer={composer} reread={() => undefined} />
		);
		const show = () => render(shown(), { wrapper: new InApp().wrapper });
		let page = show();
		return {
			...{ queuedId, above },
			/** The page reads the thread again. */
			reread: (more?: Partial<ThreadDetail>) => act(async () => page.rerender(shown(more))),
			leave: () => page.unmount(),
			comeBack: () => {
				page = show();
			},
			changes: () => app.of("editQueued").map(({ change }) => change),
			elsewhere: ({ typed: _typed, ...rest }: QueuedMessage = message) => {
				message = rest;
			},
		};
	};
	const field = () => screen.getByRole("textbox", { name: "Edit" });
	const write = (value: string) => fireEvent.change(field(), { target: { value } });
	const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name: new RegExp(`^${name}(?:: |$)`) })));
	const isLast = (it: ReturnType<typeof scene>, change: object) => isDeepStrictEqual(it.changes().at(-1), change);
	const edit = async ({ reread }: ReturnType<typeof scene>) => {
		await press("Edit");
		await act(() => until("the editor is open", () => screen.queryByRole("textbox", { name: "Edit" }) !== null));
		await reread();
	};

	it("is taken out of the way before its editor opens, and what is typed is kept when the page is left", async () => {
		const it = scene();
		await edit(it);
		expect([it.changes(), document.activeElement]).toEqual([[{ isEdited: true }], field()]);
		write("new words");
		it.leave();
		await until("it is kept", () => it.changes().length === 2);
		expect(it.changes()[1]).toEqual({ typed: "new words" });
		it.comeBack();
		expect(field()).toHaveProperty("value", "new words");
		expect(field().getAttribute("aria-describedby")).not.toBeNull();
		await act(async () => fireEvent.keyDown(field(), { key: "Enter" }));
		await act(() => until("it is saved", () => isLast(it, { prompt: "new words" })));
	});

	it("is open with the words that the app kept after a reload, and Cancel puts the old ones back", async () => {
		const it = scene("kept words");
		expect(field()).toHaveProperty("value", "kept words");
		await press("Cancel");
		await act(() => until("it is given up", () => it.changes().length === 1));
		expect(it.changes()).toEqual([{ isEdited: false }]);
		await it.reread();
		expect([screen.getByText("old").tagName, document.activeElement]).toEqual(["SPAN", screen.getByRole("button", { name: "Edit: old" })]);
	});

	it("is kept a little after the last letter", async () => {
		const it = scene();
		await edit(it);
		write("n");
		write("new");
		await act(() => until("it is kept", () => isLast(it, { typed: "new" })));
		await act(async () => fireEvent.keyDown(field(), { key: "Escape" }));
		await act(() => until("it is given up", () => isLast(it, { isEdited: false })));
	});

	it("puts nothing into the message field of a window that only showed it", async () => {
		const it = scene("typed in another window");
		expect(field()).toHaveProperty("value", "typed in another window");
		it.elsewhere();
		await it.reread();
		await it.reread({ queued: [] });
		expect(it.above).toEqual([]);
	});

	it("leaves what was typed in the message field when it is sent meanwhile, whether Save comes before or after", async () => {
		const first = scene();
		await edit(first);
		write("typed here");
		await first.reread({ queued: [] });
		expect(first.above).toEqual(["typed here"]);
		expect(
			screen.getByText("The queued message you were editing was sent or removed. Your text was moved to the message field."),
		).toBeTruthy();
		first.leave();
		const second = scene();
		await edit(second);
		write("typed there");
		const { promise, reject } = Promise.withResolvers<void>();
		app.answers.set("editQueued", () => promise);
		await press("Save");
		await act(() => until("it is asked", () => isLast(second, { prompt: "typed there" })));
		await second.reread({ queued: [] });
		expect(second.above).toEqual([]);
		await act(async () => reject(new Error("it was sent")));
		await act(() => until("it is refused", () => second.above.length > 0));
		expect(second.above).toEqual(["typed there"]);
	});

	it("leaves what was typed in the message field when another window ends the edit", async () => {
		const it = scene();
		await edit(it);
		write("typed here");
		it.elsewhere();
		await it.reread();
		expect([it.above, screen.queryByRole("textbox")]).toEqual([["typed here"], null]);
		expect(
			screen.getByText("Your edit of a queued message was ended in another window. Your text was moved to the message field."),
		).toBeTruthy();
		await press("Close note");
		expect(screen.queryByText(/in another window/)).toBeNull();
		it.leave();
		// The same when another page is shown here meanwhile.
		const second = scene();
		await edit(second);
		write("typed there");
		second.leave();
		await until("it is kept", () => isLast(second, { typed: "typed there" }));
		second.elsewhere();
		await act(async () => second.comeBack());
		expect([second.above, screen.queryByRole("textbox")]).toEqual([["typed there"], null]);
	});

	it("leaves nothing in the message field when another window saves the very words", async () => {
		const it = scene();
		await edit(it);
		write("typed here");
		const [message] = detail({
			queued: [{ queuedId: it.queuedId, prompt: "typed here", routing: { executionTarget: "agent" }, attachments: [], createdAt: at(0) }],
		}).queued;
		if (message === undefined) throw new Error("there is a message");
		await it.reread({ queued: [message] });
		expect([it.above, screen.queryByRole("textbox")]).toEqual([[], null]);
		expect(screen.queryByText(/in another window/)).toBeNull();
	});

	it("is shown in another window as not sent, with the newest words to go on with and a way to give them up", async () => {
		const it = scene();
		const typed = { typed: "from there" };
		const [message] = detail({
			queued: [
				{ queuedId: it.queuedId, prompt: "old", routing: { executionTarget: "agent" }, attachments: [], createdAt: at(0), ...typed },
			],
		}).queued;
		if (message === undefined) throw new Error("there is a message");
		await it.reread({ queued: [message], queueHeld: true });
		expect(screen.getByText("Not sent while it’s being edited")).toBeTruthy();
		expect(screen.getByText("Queue paused: the next message is being edited.")).toBeTruthy();
		expect(screen.queryByRole("button", { name: "Resume queue" })).toBeNull();
		app.answers.set("editQueued", () => [{ ...message, typed: "newer from there" }]);
		await press("Continue editing");
		await act(() => until("the editor is open", () => screen.queryByRole("textbox", { name: "Edit" }) !== null));
		expect(field()).toHaveProperty("value", "newer from there");
		await press("Cancel");
		await act(() => until("it is closed", () => screen.queryByRole("textbox", { name: "Edit" }) === null));
		await press("Discard edit");
		expect(it.changes()).toEqual([{ isEdited: true }, { isEdited: false }, { isEdited: false }]);
	});

	it("has the cursor after its text", async () => {
		scene();
		await press("Edit");
		const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit" });
		expect([field.selectionStart, field.selectionEnd]).toEqual([3, 3]);
	});

	it("has its words above what is typed in the message field, and what was chosen there stays", async () => {
		const ref = createRef<ComposerHandle>();
		const { field, type } = compose(app, { thread: detail(), ref });
		type("typed");
		act(() => ref.current?.putAbove("edited"));
		expect(field).toHaveProperty("value", "edited\n\ntyped");
	});

	it("is on hold in the list of threads, although the run before it succeeded", () => {
		expect(hintOfThread(summary("title", 1, { lastTurn: ended({}, undefined).turn, queuedCount: 1, editedCount: 1 }), "Codex")).toBe(
			"1 queued message on hold",
		);
	});
});
