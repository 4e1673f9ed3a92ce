import { act, cleanup, render, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NewThreadPage } from "../../../src/ui/pages/new-thread-page.tsx";
import { setPreferences } from "../../../src/ui/state/preferences.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { composerApp, leaveComposer, provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

it("says of a thread that continues another what Script is given of it: nothing", async () => {
	const from = { threadId: ThreadId.parse("thread1"), turnId: TurnId.parse("turn1") };
	app.answers.set("continuation", () => ({ ...from, title: "Earlier", given: 12, leftOut: 0 }));
	const providers = [provider("script", true), provider("codex", true)];
	setPreferences({ providerId: "script" });
	render(<NewThreadPage from={from} />, { wrapper: new InApp(stateOf(...providers)).wrapper });
	expect(await screen.findByText("Continues “Earlier”. Script runs a program and gets nothing from that thread.")).toBeTruthy();
	cleanup();
	setPreferences({ providerId: "codex" });
	render(<NewThreadPage from={from} />, { wrapper: new InApp(stateOf(...providers)).wrapper });
	expect(await screen.findByText(/the agent gets 12 messages from that thread as text/)).toBeTruthy();
});

it("says that the thread which it would continue is gone once it is deleted", async () => {
	const from = { threadId: ThreadId.parse("thread1"), turnId: TurnId.parse("turn1") };
	app.answers.set("continuation", () => ({ ...from, title: "Earlier", given: 12, leftOut: 0 }));
	const here = new InApp({ ...stateOf(provider("codex", true)), threads: [summary("thread1", 1)] });
	render(<NewThreadPage from={from} />, { wrapper: here.wrapper });
	await screen.findByText(/the agent gets 12 messages from that thread as text/);
	app.answers.set("continuation", () => Promise.reject(Object.assign(new Error("It is gone."), { name: "THREAD_NOT_FOUND" })));
	act(() => here.app.set({ ...here.app.value, threads: [] }));
	expect(await screen.findByText(/It is gone\./)).toBeTruthy();
	expect(screen.queryByText(/the agent gets 12 messages/)).toBeNull();
});
