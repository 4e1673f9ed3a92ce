import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ProviderId, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { queueMessage, sentMessage } from "../../../src/ui/follow/sent-message.ts";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { composerApp, detail, leaveComposer, provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { at } from "../stories.ts";

const threadId = ThreadId.parse("thread1");

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", () => ({ updates: [], more: false }));
});
afterEach(() => {
	leaveComposer(app);
	cleanup();
	sentMessage.set(undefined);
});

it("a message that the app took just before it died stays in its thread, once", async () => {
	const shown = detail();
	app.answers.set("readThread", () => shown);
	const here = new InApp(stateOf(provider("codex", true)));
	const reader = new ThreadReader(threadId);
	await reader.read();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: here.wrapper });
	const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
	fireEvent.change(field, { target: { value: "and a follow-up" } });
	fireEvent.keyDown(field, { key: "Enter" });
	await act(() => until("it was answered", () => field.value === ""));
	app.isThere = false;
	act(() => here.link.set("gone"));
	expect(screen.getByText("and a follow-up")).toBeTruthy();
	expect(screen.getByText("Sent. The run’s progress appears here when the app responds again.")).toBeTruthy();
	const [first] = shown.turns;
	if (first === undefined) throw new Error("the thread has no turn");
	const { request, turn } = first;
	const second = { ...first, request: { ...request, prompt: "and a follow-up" }, turn: { ...turn, turnId: TurnId.parse("turn2") } };
	app.isThere = true;
	app.answers.set("readThread", () => ({ ...shown, turns: [first, second] }));
	act(() => here.link.set("live"));
	await act(() => reader.read());
	expect(screen.getAllByText("and a follow-up")).toHaveLength(1);
	act(() => here.link.set("gone"));
	expect(screen.getAllByText("and a follow-up")).toHaveLength(1);
	expect(screen.queryByText(/Its progress appears here/)).toBeNull();
	reader.close();
});

it("a message that was queued just before the app went away is shown once, as queued", async () => {
	const routing = { executionTarget: "agent", providerId: ProviderId.parse("codex") } as const;
	const turnId = TurnId.parse("turn2");
	const queued = [{ queuedId: turnId, prompt: "and then this", routing, createdAt: at(1), attachments: [] }];
	app.answers.set("readThread", () => detail());
	const here = new InApp(stateOf(provider("codex", true)));
	const reader = new ThreadReader(threadId);
	await reader.read();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: here.wrapper });
	const queue = () => queueMessage({ threadId, turnId, prompt: "and then this", routing });
	await act(queue);
	act(() => here.link.set("gone"));
	expect(screen.getAllByText("and then this")).toHaveLength(1);
	expect(screen.getByText("Queued. The message appears in the queue when the app responds again.")).toBeTruthy();
	act(() => here.link.set("live"));
	// The list that has it arrives before the answer to it.
	app.answers.set("readThread", () => detail({ queued }));
	await act(() => reader.read());
	await act(queue);
	act(() => here.link.set("gone"));
	expect(screen.getAllByText("and then this")).toHaveLength(1);
	expect(screen.queryByText(/when the app responds/)).toBeNull();
	reader.close();
});
