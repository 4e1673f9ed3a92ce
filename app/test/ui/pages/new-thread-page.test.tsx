import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DraftFileId } from "../../../src/threads/domain/composed-message.ts";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import { NewThreadPage } from "../../../src/ui/pages/new-thread-page.tsx";
import type { FakeApp } from "../../support/fake-app.ts";
import { composerApp, file, leaveComposer, provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { at } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

it("shows the draft's files and words for an agent that was chosen on Home", () => {
	const file = { fileId: DraftFileId.parse("file-one"), name: "a.txt", mediaType: "text/plain", sizeBytes: 1, sha256: "0".repeat(64) };
	const state = { ...stateOf(provider("codex", true)), newDraft: { prompt: "read it", files: [file], updatedAt: at(1) } };
	const { wrapper } = new InApp(state);
	render(<HomePage />, { wrapper });
	fireEvent.click(screen.getByRole("button", { name: "Use codex" }));
	cleanup();
	render(<NewThreadPage />, { wrapper });
	expect(screen.getByRole("textbox", { name: "Message" })).toHaveProperty("value", "read it");
	expect(screen.getByRole("list", { name: "Attached files" }).textContent).toContain("a.txt");
	expect(screen.getByText("Draft saved")).toBeTruthy();
});

const page = (state = stateOf(provider("codex", true))) => {
	render(<NewThreadPage />, { wrapper: new InApp(state).wrapper });
	return (value: string) => fireEvent.change(screen.getByRole("textbox", { name: "Message" }), { target: { value } });
};
const isSaidSaved = () => screen.queryByText("Draft saved") !== null;

it("says that the draft is saved only while the app has what is typed", async () => {
	const type = page();
	type("one line");
	expect(isSaidSaved()).toBe(false);
	await waitFor(() => expect(isSaidSaved()).toBe(true));
	app.isThere = false;
	type("one line\nand more");
	expect(isSaidSaved()).toBe(false);
	dispatchEvent(new Event("pagehide"));
	await act(async () => undefined);
	expect(isSaidSaved()).toBe(false);
	type("one line");
	expect(isSaidSaved()).toBe(true);
});

it("does not say so of text that only this tab has, until the app has it", async () => {
	page()("all of it");
	app.isThere = false;
	cleanup();
	app.isThere = true;
	page({ ...stateOf(provider("codex", true)), newDraft: { prompt: "all", updatedAt: at(1) } });
	expect([screen.getByRole("textbox", { name: "Message" }), isSaidSaved()]).toMatchObject([{ value: "all of it" }, false]);
	await waitFor(() => expect(isSaidSaved()).toBe(true));
	expect(app.of("saveDraft")).toMatchObject([{ draft: { prompt: "all of it" } }]);
});

it("does not say so while an attached file is not saved", async () => {
	app.answers.set("keepDraftFile", () => Promise.reject(new Error("the disk is full")));
	page()("read it");
	await waitFor(() => expect(isSaidSaved()).toBe(true));
	const input = document.querySelector("input[type=file]");
	if (input === null) throw new Error("there is nowhere to attach");
	await act(async () => fireEvent.change(input, { target: { files: [file("a.txt", 1)] } }));
	expect(isSaidSaved()).toBe(false);
	await waitFor(() => expect(app.of("saveDraft")).toHaveLength(2));
	await act(async () => undefined);
	expect(isSaidSaved()).toBe(false);
});
