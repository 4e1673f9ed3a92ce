import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Draft } from "../../../src/api/ui-api.ts";
import { DraftFileId } from "../../../src/threads/domain/composed-message.ts";
import { Composer } from "../../../src/ui/composer/composer.tsx";
import { ownDraft } from "../../../src/ui/drafts/own-drafts.ts";
import { NewThreadPage } from "../../../src/ui/pages/new-thread-page.tsx";
import type { FakeApp } from "../../support/fake-app.ts";
import { InApp } from "../in-app.tsx";
import { at } from "../stories.ts";
import { composerApp, detail, leaveComposer, provider, stateOf } from "./composer-scene.tsx";

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

const routing = { executionTarget: "agent" } as const;
const one: Draft = { prompt: "one", routing, updatedAt: at(1) };
const notes = { fileId: DraftFileId.parse("file-notes"), name: "notes.txt", mediaType: "text/plain", sizeBytes: 1, sha256: "0".repeat(64) };
const value = () => (screen.getByRole("textbox", { name: "Message" }) as HTMLTextAreaElement).value;
const type = (text: string) => fireEvent.change(screen.getByRole("textbox", { name: "Message" }), { target: { value: text } });

/** A thread's composer in a window that was opened with a draft, and what the app tells it when it reads the thread again. */
function opened(draft: Draft | undefined) {
	const here = new InApp(stateOf(provider("codex", true)));
	const composer = (told: Draft | undefined) => <Composer busy={false} thread={detail(told && { draft: told })} />;
	const { rerender } = render(composer(draft), { wrapper: here.wrapper });
	return { here, tell: (told: Draft | undefined) => rerender(composer(told)) };
}

describe("a draft that another window wrote and then sent or deleted", () => {
	it("is gone from a message field in which nothing was typed, with its files, and is not sent again", async () => {
		const { tell } = opened({ ...one, files: [notes], require: ["a.pdf"] });
		expect([value(), screen.queryByText("notes.txt") !== null]).toEqual(["one", true]);
		tell(undefined);
		expect([value(), screen.queryByText("notes.txt"), screen.queryByText("a.pdf")]).toEqual(["", null, null]);
		fireEvent.keyDown(screen.getByRole("textbox", { name: "Message" }), { key: "Enter" });
		await act(async () => undefined);
		expect([app.of("send"), app.of("dropDraftFile")]).toEqual([[], []]);
		cleanup();
		opened(undefined);
		expect(value()).toBe("");
	});

	it("is gone from it also where a third window's words are left, which it does not show in its place", () => {
		const { tell } = opened(one);
		tell({ ...one, prompt: "three", earlier: ["one"] });
		expect(value()).toBe("one");
		tell({ ...one, prompt: "three" });
		expect(value()).toBe("");
	});

	it("is gone from it after both windows went on with it, once what the other made of it is gone", () => {
		const { tell } = opened(one);
		tell({ ...one, prompt: "one and two" });
		expect(value()).toBe("one");
		tell(undefined);
		expect(value()).toBe("");
	});

	it("is gone from it after a lost connection", () => {
		const { here, tell } = opened(one);
		act(() => here.link.set("gone"));
		expect(value()).toBe("one");
		act(() => here.link.set("live"));
		tell(undefined);
		expect(value()).toBe("");
	});

	it("stays where something was typed or attached, whatever the app tells later", async () => {
		const { tell } = opened(one);
		type("one, two");
		tell(undefined);
		expect(value()).toBe("one, two");
		dispatchEvent(new Event("pagehide"));
		type("one");
		tell({ ...one, prompt: "three" });
		tell(undefined);
		expect(value()).toBe("one");
		dispatchEvent(new Event("pagehide"));
		await act(async () => undefined);
		expect(ownDraft(detail().thread.threadId)).toMatchObject({ prompt: "one" });
		// After a reload it is this tab's own.
		cleanup();
		const { tell: tellAgain } = opened(one);
		tellAgain(undefined);
		expect(value()).toBe("one");
	});

	it("stays where a file was attached to it", async () => {
		const { tell } = opened(one);
		const input = document.querySelector("input[type=file]") ?? document.body;
		await act(async () => fireEvent.change(input, { target: { files: [new File(["x"], "mine.txt", { type: "text/plain" })] } }));
		tell(undefined);
		expect([value(), screen.queryByText("mine.txt") !== null]).toEqual(["one", true]);
		await act(async () => fireEvent.click(screen.getByRole("button", { name: "Remove mine.txt" })));
	});

	it("stays while this window is sending it, and when that fails", async () => {
		const answer = Promise.withResolvers<object>();
		app.answers.set("send", () => answer.promise);
		const { tell } = opened(one);
		await act(async () => fireEvent.keyDown(screen.getByRole("textbox", { name: "Message" }), { key: "Enter" }));
		tell(undefined);
		expect(value()).toBe("one");
		tell(one);
		await act(async () => answer.reject(Object.assign(new Error("the disk is full"), { name: "DISK_FULL" })));
		expect(value()).toBe("one");
	});
});

it("the same words typed again after they were sent here stay", async () => {
	const { tell } = opened(one);
	await act(async () => fireEvent.keyDown(screen.getByRole("textbox", { name: "Message" }), { key: "Enter" }));
	expect([value(), app.of("send").length]).toEqual(["", 1]);
	type("one");
	tell(undefined);
	expect(value()).toBe("one");
});

it("the draft of a new thread is gone from a window that only showed it once the app tells that it is", () => {
	const state = stateOf(provider("codex", true));
	const here = new InApp({ ...state, newDraft: one });
	render(<NewThreadPage />, { wrapper: here.wrapper });
	expect([value(), screen.queryByText("Draft saved") !== null]).toEqual(["one", true]);
	act(() => here.app.set(state));
	expect([value(), screen.queryByText("Draft saved")]).toEqual(["", null]);
});
