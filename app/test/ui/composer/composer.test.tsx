import { setImmediate } from "node:timers/promises";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ComposerHandle } from "../../../src/ui/composer/composer-handle.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { at } from "../stories.ts";
import { compose, composerApp, detail, file, leaveComposer, provider } from "./composer-scene.tsx";

/** Everything that a press began without waiting for the app has happened. */
const idle = () => act(async () => void (await setImmediate()));

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

describe("the composer", () => {
	it("sends by Enter, once, as typed, and is empty then", async () => {
		const { field, type, press, settled } = compose(app, { thread: detail() });
		type("  make it\n  twice ");
		press("Enter");
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ threadId: "thread1", prompt: "  make it\n  twice " }]);
		await until("it is empty", () => field.textContent === "" && "value" in field && field.value === "");
	});

	it.each<[string, string, KeyboardEventInit]>([
		["with Shift", "words", { shiftKey: true }],
		["while an IME composes", "words", { isComposing: true }],
		["for the key that an IME took", "words", { keyCode: 229 }],
		["without words", " \n ", {}],
	])("does not send by Enter %s", async (_, text, key) => {
		const { type, press } = compose(app, { thread: detail() });
		type(text);
		press("Enter", key);
		await idle();
		expect(app.of("send")).toEqual([]);
	});

	it("sets a draft aside for an earlier message that is edited: Enter sends that one alone, and the draft comes back", async () => {
		const composer = createRef<ComposerHandle>();
		const thread = detail();
		const { field, type, press, settled } = compose(app, { thread, ref: composer });
		const again = thread.turns[0];
		if (again === undefined) throw new Error("the thread has a turn");
		type("my draft");
		act(() => composer.current?.writeAgain(again));
		expect(field).toHaveProperty("value", "do it");
		expect(screen.getByRole("region", { name: "Your draft comes back after you send this message" }).textContent).toContain("my draft");
		expect(await composer.current?.isFree()).toBe(false);
		// Neither of them is lost by a reload.
		expect(app.of("saveDraft").at(-1)).toMatchObject({ draft: { prompt: "do it\n\nmy draft" } });
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "do it" }]);
		await until("the draft is back", () => "value" in field && field.value === "my draft");
		expect(screen.queryByRole("button", { name: "Cancel edit" })).toBeNull();
	});

	it("brings the draft back at once when the edit is cancelled, and sends nothing", async () => {
		const composer = createRef<ComposerHandle>();
		const thread = detail();
		const { field, type } = compose(app, { thread, ref: composer });
		const again = thread.turns[0];
		if (again === undefined) throw new Error("the thread has a turn");
		type("my draft");
		act(() => composer.current?.writeAgain(again));
		act(() => composer.current?.writeAgain(again));
		fireEvent.click(screen.getByRole("button", { name: "Cancel edit" }));
		expect(field).toHaveProperty("value", "my draft");
		expect(screen.queryByRole("button", { name: "Cancel edit" })).toBeNull();
		expect(app.of("send")).toEqual([]);
	});

	it("keeps what was typed when it cannot be sent, and sends nothing by itself later", async () => {
		app.answers.set("send", () => Promise.reject(Object.assign(new Error("the disk is full"), { name: "DISK_FULL" })));
		const { field, type, press, settled } = compose(app, { thread: detail() });
		type("words");
		press("Enter");
		await act(() => settled(1));
		await idle();
		expect(field).toHaveProperty("value", "words");
	});

	it("sends under the same ids after an answer that was lost, and under others once it was sent", async () => {
		let isLost = true;
		app.answers.set("send", () => {
			if (!isLost) return { threadId: "thread1", turnId: "turn2" };
			isLost = false;
			return Promise.reject(Object.assign(new Error("no answer"), { name: "APP_GONE" }));
		});
		const { type, press, settled } = compose(app, { thread: detail() });
		for (const calls of [1, 2, 3]) {
			type("words");
			press("Enter");
			await act(() => settled(calls));
			await idle();
		}
		const ids = app.of("send").map(({ turnId }) => turnId);
		expect(ids[0]).toMatch(/^turn-/);
		expect([ids[1] === ids[0], ids[2] === ids[1]]).toEqual([true, false]);
	});

	it("sends nothing while the app does not answer, and can once it does", async () => {
		const { here, type, press, send } = compose(app, { thread: detail(), link: "gone" });
		type("words");
		expect(send).toHaveProperty("disabled", true);
		press("Enter");
		act(() => here.link.set("live"));
		expect(send).toHaveProperty("disabled", false);
		expect(app.of("send")).toEqual([]);
	});

	it("says beside what is typed, and aloud at each Enter, that the app is away", async () => {
		const { here, field, type, press } = compose(app, { link: "gone" });
		const away = "The app isn’t responding, so this can’t be sent. Your draft is kept in this tab until the app is back.";
		expect(screen.queryByText(away)).toBeNull();
		type("hello");
		expect(field.getAttribute("aria-describedby")?.split(" ")).toContain(screen.getByText(away).id);
		expect(here.said).toEqual([]);
		press("Enter");
		press("Enter");
		expect([here.said, app.of("send")]).toEqual([[away, away], []]);
	});

	it("has the browser ask before a tab is closed that alone has what was typed, and not once the app is back", () => {
		const { here, type } = compose(app, { thread: detail(), link: "gone" });
		const asks = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
		expect(asks()).toBe(false);
		type("words");
		expect(asks()).toBe(true);
		act(() => here.link.set("live"));
		expect(asks()).toBe(false);
	});

	it("puts a message behind the run of a busy thread", async () => {
		const { here, type, press, settled } = compose(app, { thread: detail(), busy: true });
		type("next");
		press("Enter");
		await act(() => settled(1));
		await act(() => until("it is announced", () => here.said.length === 1));
		expect(here.said).toEqual(["Added to queue"]);
		expect([app.of("send"), app.of("queueMessage")]).toMatchObject([[], [{ threadId: "thread1", prompt: "next" }]]);
	});

	it("announces no queue where the run has just ended, so that the message was sent instead", async () => {
		app.answers.set("queueMessage", () => ({ turnId: "turn2" }));
		const { here, field, type, press, settled } = compose(app, { thread: detail(), busy: true });
		type("next");
		press("Enter");
		await act(() => settled(1));
		await act(() => until("it is sent", () => "value" in field && field.value === ""));
		expect(here.said).toEqual([]);
	});

	it("chooses no agent that is not there, and none at all when there is none", async () => {
		const { type, press, settled } = compose(app, {
			providers: [provider("goose", false), provider("script", true), provider("codex", true)],
		});
		type("words");
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ routing: { providerId: "codex" } }]);
		cleanup();
		const alone = compose(app, { providers: [provider("goose", false)] });
		alone.type("words");
		expect(alone.send).toHaveProperty("disabled", true);
	});

	it("sends the files that fit, and waits while they are too much together", async () => {
		const { type, press, attach, send, settled } = compose(app, { thread: detail() });
		type("look");
		await attach(file("a.txt", 9), file("huge.txt", 11));
		await until("they are hashed", () => !("disabled" in send) || send.disabled === false);
		await attach(file("b.txt", 9));
		await idle();
		expect(send).toHaveProperty("disabled", true);
		fireEvent.click(screen.getByRole("button", { name: "Remove b.txt" }));
		press("Enter");
		await act(() => settled(1));
		expect(app.of("keepDraftFile")).toMatchObject([{ name: "a.txt", mediaType: "text/plain", base64: btoa("x".repeat(9)) }]);
		expect(app.of("send")).toMatchObject([{ draft: { files: app.of("keepDraftFile").map(({ fileId }) => fileId) } }]);
	});

	it("keeps what is typed in the app, also when the page goes away before it was", async () => {
		const { type } = compose(app, { thread: detail() });
		type("half a thou");
		dispatchEvent(new Event("pagehide"));
		// At once: a page that goes away has no later.
		await idle();
		expect(app.of("saveDraft")).toMatchObject([{ threadId: "thread1", draft: { prompt: "half a thou" } }]);
	});

	it("begins with the draft that the app kept", () => {
		const { field } = compose(app, { thread: detail({ draft: { prompt: "half", updatedAt: at(1) } }) });
		expect(field).toHaveProperty("value", "half");
	});

	it("brings back what was asked before by Up, and only into an empty field", () => {
		const { field, type, press } = compose(app, { thread: detail() });
		// Alt and Up lead to the previous thread.
		for (const modifier of ["altKey", "ctrlKey", "metaKey", "shiftKey"] as const) press("ArrowUp", { [modifier]: true });
		expect(field).toHaveProperty("value", "");
		press("ArrowUp");
		expect(field).toHaveProperty("value", "do it");
		type("do it now");
		press("ArrowUp");
		expect(field).toHaveProperty("value", "do it now");
	});
});

describe("a new message", () => {
	it("asks for required files behind one button, which leads to their field", async () => {
		compose(app);
		expect(screen.queryByRole("group", { name: "Required files" })).toBeNull();
		fireEvent.click(screen.getByRole("button", { name: "Required files" }));
		const added = screen.getByRole("textbox", { name: "Add a required file" });
		await until("the field has the focus", () => document.activeElement === added);
		fireEvent.click(screen.getByRole("button", { name: "Required files" }));
		expect(screen.queryByRole("group", { name: "Required files" })).toBeNull();
	});

	it("says how much is attached only when little room is left", async () => {
		const { attach } = compose(app, { thread: detail() });
		await attach(file("a.txt", 9));
		await act(() => until("it is attached", () => app.of("keepDraftFile").length === 1));
		expect(document.querySelector(".tools-say")?.textContent).toBe("");
		expect(screen.getByText("a.txt").closest("li")?.textContent).not.toContain("hash");
		await attach(file("b.txt", 5));
		await act(() => until("it is said", () => document.querySelector(".tools-say")?.textContent === "14 B of 15 B attached"));
		// One that the app does not hold yet needs no dropping.
		await act(() => until("both are kept", () => app.of("keepDraftFile").length === 2));
		await idle();
		for (const name of ["a.txt", "b.txt"]) fireEvent.click(screen.getByRole("button", { name: `Remove ${name}` }));
		await act(() => until("both are dropped", () => app.of("dropDraftFile").length === 2));
	});
});
