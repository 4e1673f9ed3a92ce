import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppState, ThreadSummary } from "../../../src/api/ui-api.ts";
import { words } from "../../../src/strings/interface.ts";
import { Composer } from "../../../src/ui/composer/composer.tsx";
import { callApp } from "../../../src/ui/connection/call-app.ts";
import { NewThreadPage } from "../../../src/ui/pages/new-thread-page.tsx";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, at } from "../stories.ts";
import { compose, composerApp, detail, file, leaveComposer, provider, stateOf } from "./composer-scene.tsx";

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });

async function send(text: string, method = "send"): Promise<{ turnId: TurnId; begins: ThreadId }> {
	const before = app.of(method).length;
	fireEvent.change(field(), { target: { value: text } });
	fireEvent.keyDown(field(), { key: "Enter" });
	await until("it is sent", () => app.of(method).length > before);
	await act(() => until("it was not answered", () => screen.queryByText(/may have been sent/) !== null));
	const sent = app.of(method).at(-1);
	return { turnId: TurnId.parse(sent?.turnId), begins: ThreadId.parse(sent?.begins ?? sent?.threadId) };
}

function summaryOf(threadId: ThreadId): ThreadSummary {
	const counts = { turnCount: 1, fileCount: 0, artifactCount: 0, collectedCount: 0, queuedCount: 0, hasDraft: false };
	const times = { createdAt: at(0), updatedAt: at(1) };
	return { threadId, title: "write it", lifecycleStatus: "running", preview: "write it", ...counts, ...times };
}

function newPage(state: AppState = stateOf(provider("codex", true))): InApp {
	const here = new InApp(state);
	render(<NewThreadPage />, { wrapper: here.wrapper });
	return here;
}

it("a first message that was not answered is shown as not confirmed, and settles when the app has its thread", async () => {
	app.dropsAnswers = true;
	const here = newPage();
	const { begins } = await send("write it");
	act(() => here.link.set("gone"));
	expect(field().value).toBe("write it");
	expect(screen.queryByText("Draft saved")).toBeNull();
	expect(screen.getByText("Waiting for confirmation")).toBeTruthy();
	expect(here.said).toContain(words.composer.unconfirmed);
	expect(screen.queryByText(/can’t be sent/)).toBeNull();
	app.dropsAnswers = false;
	act(() => {
		here.app.set({ ...here.app.value, threads: [summaryOf(begins), ...appState.threads] });
		here.link.set("live");
	});
	expect(location.hash).toBe(`#/t/${encodeURIComponent(begins)}`);
	expect(field().value).toBe("");
	expect(screen.queryByText(/may have been sent/)).toBeNull();
	expect(app.of("send")).toHaveLength(1);
});

it("also after a reload", async () => {
	app.dropsAnswers = true;
	newPage();
	const { begins } = await send("write it again");
	cleanup();
	app.dropsAnswers = false;
	newPage({ ...stateOf(provider("codex", true)), threads: [summaryOf(begins)] });
	expect(location.hash).toBe(`#/t/${encodeURIComponent(begins)}`);
	expect(field().value).toBe("");
});

it("a message may have been sent if the app stops responding before it answers, and a change to it comes too late", async () => {
	const { promise, resolve } = Promise.withResolvers<object>();
	app.answers.set("send", () => promise);
	const { here, field, type, press, settled } = compose(app, { thread: detail() });
	type("write the eighth");
	press("Enter");
	await act(() => settled(1));
	act(() => here.link.set("gone"));
	expect(screen.getByText(words.composer.unconfirmed)).toBeTruthy();
	expect(screen.queryByText(/can’t be sent/)).toBeNull();
	press("Enter");
	expect(here.said).toEqual([words.composer.unconfirmed, words.composer.unconfirmed]);
	type("write the eighth and print it");
	expect(screen.getByText(words.composer.unconfirmedChanged)).toBeTruthy();
	expect(screen.queryByText(/can’t be sent/)).toBeNull();
	act(() => here.link.set("live"));
	resolve({ threadId: "thread1", turnId: "turn2" });
	await act(() => until("only the change is left", () => "value" in field && field.value === "and print it"));
	expect(screen.queryByText(/may have been sent/)).toBeNull();
});

it("a message that the app does not have when it is back did not arrive, and stays in the field", async () => {
	app.dropsAnswers = true;
	const here = newPage();
	await send("write the third");
	act(() => here.link.set("gone"));
	act(() => here.link.set("live"));
	expect(screen.getByText("Your message didn’t arrive. Send it again.")).toBeTruthy();
	expect(screen.queryByText("Waiting for confirmation")).toBeNull();
	expect(field().value).toBe("write the third");
	fireEvent.change(field(), { target: { value: "something else" } });
	expect(screen.queryByText(/didn’t arrive/)).toBeNull();
});

it("a message that was changed since may run twice, and is not said to be the same one", async () => {
	app.dropsAnswers = true;
	newPage(stateOf(provider("codex", true), provider("script", true)));
	await send("write the fifth");
	expect(screen.getByText(words.composer.unconfirmed)).toBeTruthy();
	fireEvent.click(screen.getByRole("button", { name: "Required files" }));
	const glob = screen.getByRole("textbox", { name: "Add a required file" });
	fireEvent.change(glob, { target: { value: "a.pdf" } });
	fireEvent.keyDown(glob, { key: "Enter" });
	expect(screen.getByText(words.composer.unconfirmedChanged)).toBeTruthy();
	expect(screen.queryByText(/won’t run it twice/)).toBeNull();
});

it("a message whose file the app has saved meanwhile is the same message", async () => {
	app.dropsAnswers = true;
	const here = newPage();
	const input = document.querySelector("input[type=file]");
	if (input === null) throw new Error("there is nowhere to attach");
	await act(async () => fireEvent.change(input, { target: { files: [file("a.txt", 3)] } }));
	await act(() => until("it could not be saved", () => screen.queryByRole("alert") !== null));
	const { turnId } = await send("look at it");
	app.dropsAnswers = false;
	const saved = app.of("keepDraftFile").length;
	act(() => here.link.set("gone"));
	act(() => here.link.set("live"));
	await act(() => until("it is saved", () => app.of("keepDraftFile").length > saved));
	await act(async () => undefined);
	fireEvent.keyDown(field(), { key: "Enter" });
	await act(() => until("it is sent again", () => app.of("send").length === 2));
	const [first, again] = app.of("send");
	expect([first?.attachments, again?.draft]).toMatchObject([[{ name: "a.txt" }], { files: [expect.any(String)] }]);
	expect([again?.turnId, again?.begins]).toEqual([turnId, first?.begins]);
});

it("a follow-up settles when its thread shows it", async () => {
	app.dropsAnswers = true;
	const here = new InApp(stateOf(provider("codex", true)));
	const shown = detail();
	const { rerender } = render(<Composer busy={false} thread={shown} />, { wrapper: here.wrapper });
	const { turnId } = await send("more");
	const [turn] = shown.turns;
	if (turn === undefined) throw new Error("the thread has no turn");
	rerender(<Composer busy={false} thread={{ ...shown, turns: [turn, { ...turn, turn: { ...turn.turn, turnId } }] }} />);
	expect(field().value).toBe("");
	expect(screen.queryByText(/may have been sent/)).toBeNull();
});

it("a follow-up that its thread does not have once it was read again did not arrive", async () => {
	app.dropsAnswers = true;
	const here = new InApp(stateOf(provider("codex", true)));
	const shown = detail();
	const { rerender } = render(<Composer busy={false} thread={shown} />, { wrapper: here.wrapper });
	await send("more of it");
	act(() => here.link.set("gone"));
	act(() => here.link.set("live"));
	expect(screen.queryByText(/didn’t arrive/)).toBeNull();
	rerender(<Composer busy={false} thread={{ ...shown }} />);
	expect(screen.getByText("Your message didn’t arrive. Send it again.")).toBeTruthy();
	expect(field().value).toBe("more of it");
});

describe("a message whose request alone was lost, while the page follows the app", () => {
	const notFound = () => Promise.reject(Object.assign(new Error("there is no such thread"), { name: "THREAD_NOT_FOUND" }));
	const hear = () => act(async () => void (await callApp("listTools", {})));
	const lose = () => app.lost.add("send").add("saveDraft").add("readThread");

	it("did not arrive if the app, once it responds to anything, does not know its thread", async () => {
		lose();
		newPage();
		const { begins } = await send("write the sixth");
		await hear();
		await act(() => until("the app is asked", () => app.of("readThread").length === 1));
		expect(screen.queryByText(/didn’t arrive/)).toBeNull();
		app.lost.delete("readThread");
		app.answers.set("readThread", notFound);
		await hear();
		expect(await screen.findByText("Your message didn’t arrive. Send it again.", {}, { timeout: 3_000 })).toBeTruthy();
		expect(app.of("readThread")).toEqual([{ threadId: begins }, { threadId: begins }]);
		expect(field().value).toBe("write the sixth");
		// The last word that was announced may still be there for a moment.
		await waitFor(() => expect(screen.queryByText("Waiting for confirmation")).toBeNull());
	});

	it("settles if the app has its thread", async () => {
		lose();
		newPage();
		const { turnId, begins } = await send("write the seventh");
		app.lost.delete("readThread");
		app.answers.set("readThread", () => {
			const { thread, turns, ...rest } = detail();
			return { ...rest, thread, turns: turns.map((turn) => ({ ...turn, turn: { ...turn.turn, turnId } })) };
		});
		await hear();
		await act(() => until("its thread is opened", () => location.hash === `#/t/${encodeURIComponent(begins)}`));
		expect(field().value).toBe("");
		expect(app.of("send")).toHaveLength(1);
	});

	it("did not arrive if its thread does not have it, and can be sent again under the same id", async () => {
		lose();
		const here = new InApp(stateOf(provider("codex", true)));
		render(<Composer busy={false} thread={detail()} />, { wrapper: here.wrapper });
		const { turnId } = await send("even more");
		app.lost.delete("readThread");
		app.answers.set("readThread", () => detail());
		await hear();
		expect(await screen.findByText("Your message didn’t arrive. Send it again.")).toBeTruthy();
		expect(here.said).toContain(words.composer.notArrived);
		app.lost.clear();
		fireEvent.keyDown(field(), { key: "Enter" });
		await act(() => until("it is sent again", () => app.of("send").length === 2));
		expect(app.of("send")[1]?.turnId).toBe(turnId);
		await act(() => until("the field is empty", () => field().value === ""));
	});

	it("settles if its thread has it in the queue", async () => {
		lose().add("queueMessage");
		const here = new InApp(stateOf(provider("codex", true)));
		render(<Composer busy thread={detail()} />, { wrapper: here.wrapper });
		const { turnId: queuedId } = await send("and then", "queueMessage");
		const routing = { executionTarget: "agent" } as const;
		const queued = [{ queuedId, prompt: "and then", routing, attachments: [], createdAt: at(2) }];
		app.lost.delete("readThread");
		app.answers.set("readThread", () => detail({ queued }));
		await hear();
		await act(() => until("the field is empty", () => field().value === ""));
		expect(screen.queryByText(/may have been sent|didn’t arrive/)).toBeNull();
	});
});

it("a message that the app refuses is not called unconfirmed", async () => {
	newPage();
	app.answers.set("send", () => {
		throw new Error("no");
	});
	fireEvent.change(field(), { target: { value: "write the fourth" } });
	fireEvent.keyDown(field(), { key: "Enter" });
	await act(() => until("it is sent", () => app.of("send").length > 0));
	await act(() => until("it is refused", () => screen.queryByText("Waiting for confirmation") === null));
	expect(screen.queryByText(/may have been sent|didn’t arrive/)).toBeNull();
});

it("why the app refused a message stays beside it until the message is changed or sent", async () => {
	newPage();
	app.answers.set("send", () => {
		throw Object.assign(new Error("The disk is full"), { name: "DISK_FULL" });
	});
	fireEvent.change(field(), { target: { value: "write the fourth" } });
	fireEvent.keyDown(field(), { key: "Enter" });
	const reason = await screen.findByText(/The disk is full/);
	expect(field().value).toBe("write the fourth");
	expect(field().getAttribute("aria-describedby")?.split(" ")).toContain(reason.id);
	fireEvent.change(field(), { target: { value: "write the fifth" } });
	expect(screen.queryByText(/The disk is full/)).toBeNull();
	app.answers.set("send", () => new Promise(() => {}));
	fireEvent.change(field(), { target: { value: "write the fourth" } });
	expect(screen.getByText(/The disk is full/).textContent).toBe(reason.textContent);
	fireEvent.keyDown(field(), { key: "Enter" });
	expect(screen.queryByText(/The disk is full/)).toBeNull();
});

it("a message to a thread that became busy in another window is queued, not refused", async () => {
	app.answers.set("send", () => {
		throw Object.assign(new Error("This thread is still running."), { name: "THREAD_BUSY" });
	});
	const here = new InApp(stateOf(provider("codex", true)));
	render(<Composer busy={false} thread={detail()} />, { wrapper: here.wrapper });
	fireEvent.change(field(), { target: { value: "and a title" } });
	fireEvent.keyDown(field(), { key: "Enter" });
	await act(() => until("it is queued", () => app.of("queueMessage").length === 1));
	expect(app.of("queueMessage")[0]).toMatchObject({ prompt: "and a title", turnId: app.of("send")[0]?.turnId });
	await act(() => until("the field is empty", () => field().value === ""));
	expect(screen.queryByText(/still running/)).toBeNull();
});
