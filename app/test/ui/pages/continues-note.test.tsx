import { cleanup, render, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NewThreadPage } from "../../../src/ui/pages/new-thread-page.tsx";
import { setPreferences } from "../../../src/ui/state/preferences.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { composerApp, leaveComposer, provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";

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
