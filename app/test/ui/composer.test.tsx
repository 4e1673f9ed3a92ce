import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ProviderId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppState, ThreadDetail } from "../../src/core/ui-api.ts";
import { Composer } from "../../src/ui/shell/composer.tsx";
import { QueuedList } from "../../src/ui/shell/queued-list.tsx";
import { FakeApp } from "../support/fake-app.ts";
import { fakeCapabilities } from "../support/fake-capabilities.ts";
import { until } from "../support/until.ts";
import { InApp } from "./in-app.tsx";
import { appState, at, ended } from "./stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	app.answers.set("recentPrompts", () => []);
	app.answers.set("send", () => ({ threadId: "thread1", turnId: "turn2" }));
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
	location.hash = "";
});

const features = { approvals: true, followUp: true, resume: true, attachments: true };
const provider = (name: string, available: boolean) => ({
	...{ providerId: ProviderId.parse(name), label: name, target: "agent" as const, features, available },
	...(!available && { unavailable: { code: "PROVIDER_NOT_INSTALLED" as const, message: "it is not here", fix: "Install it." } }),
});

function stateOf(...providers: readonly ReturnType<typeof provider>[]): AppState {
	const none = fakeCapabilities({ maxActive: 1, maxQueued: 20 }, undefined);
	const capabilities = { ...none, providers: [...providers], limits: { ...none.limits, attachmentBytes: 10, attachmentsBytes: 15 } };
	return { ...appState, bridge: { ...appState.bridge, capabilities } };
}

const threadId = ThreadId.parse("thread1");

function detail(more: Partial<ThreadDetail> = {}): ThreadDetail {
	const times = { createdAt: at(0), updatedAt: at(1) };
	const thread = { threadId, sessionId: SessionId.parse(threadId), title: "t", lifecycleStatus: "ready", ...times } as const;
	const turn = ended({}, undefined);
	return {
		thread: { ...thread, lastTaskArtifactRelativePaths: [], turns: [turn.turn], deleted: false },
		...{ turns: [turn], folder: "/home/threads/t", queued: [], queueHeld: false },
		...more,
	};
}

function compose({
	providers = [provider("codex", true)],
	link = "live" as const,
	...props
}: {
	providers?: ReturnType<typeof provider>[];
	link?: InApp["link"]["value"];
	thread?: ThreadDetail;
	busy?: boolean;
} = {}) {
	const here = new InApp(stateOf(...providers), link);
	const { container } = render(<Composer busy={false} {...props} />, { wrapper: here.wrapper });
	const field = screen.getByRole("textbox", { name: "Message" });
	const type = (value: string) => fireEvent.change(field, { target: { value } });
	const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(field, { key, ...more });
	const attach = async (...files: readonly File[]) => {
		const input = container.querySelector("input[type=file]");
		if (input === null) throw new Error("there is nowhere to attach");
		await act(async () => fireEvent.change(input, { target: { files } }));
	};
	const settled = (calls: number) => until("it is sent", () => app.of("send").length + app.of("queueMessage").length === calls, 2_500);
	return { here, field, type, press, attach, settled, send: screen.getByRole("button", { name: /^(?:Send|Queue)/ }) };
}

const file = (name: string, bytes: number) => new File(["x".repeat(bytes)], name, { type: "text/plain" });

describe("the composer", () => {
	it("sends by Enter, once, as typed, and is empty then", async () => {
		const { field, type, press, settled } = compose({ thread: detail() });
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
		const { type, press } = compose({ thread: detail() });
		type(text);
		press("Enter", key);
		await act(async () => undefined);
		expect(app.of("send")).toEqual([]);
	});

	it("keeps what was typed when it cannot be sent, and sends nothing by itself later", async () => {
		app.answers.set("send", () => Promise.reject(Object.assign(new Error("a turn is not over"), { name: "THREAD_BUSY" })));
		const { field, type, press, settled } = compose({ thread: detail() });
		type("words");
		press("Enter");
		await act(() => settled(1));
		await act(async () => undefined);
		expect(field).toHaveProperty("value", "words");
	});

	it("sends nothing while the app does not answer, and can once it does", async () => {
		const { here, type, press, send } = compose({ thread: detail(), link: "gone" });
		type("words");
		expect(send).toHaveProperty("disabled", true);
		press("Enter");
		act(() => here.link.set("live"));
		expect(send).toHaveProperty("disabled", false);
		expect(app.of("send")).toEqual([]);
	});

	it("puts a message behind the run of a busy thread", async () => {
		const { type, press, settled } = compose({ thread: detail(), busy: true });
		type("next");
		press("Enter");
		await act(() => settled(1));
		expect([app.of("send"), app.of("queueMessage")]).toMatchObject([[], [{ threadId: "thread1", prompt: "next" }]]);
	});

	it("chooses no agent that is not there, and none at all when there is none", async () => {
		const { type, press, settled } = compose({ providers: [provider("goose", false), provider("script", true), provider("codex", true)] });
		type("words");
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ routing: { providerId: "codex" } }]);
		cleanup();
		const alone = compose({ providers: [provider("goose", false)] });
		alone.type("words");
		expect(alone.send).toHaveProperty("disabled", true);
	});

	it("sends the files that fit, and waits while they are too much together", async () => {
		const { type, press, attach, send, settled } = compose({ thread: detail() });
		type("look");
		await attach(file("a.txt", 9), file("huge.txt", 11));
		await until("they are hashed", () => !("disabled" in send) || send.disabled === false);
		await attach(file("b.txt", 9));
		await act(async () => undefined);
		expect(send).toHaveProperty("disabled", true);
		fireEvent.click(screen.getByRole("button", { name: "Remove b.txt" }));
		press("Enter");
		await act(() => settled(1));
		expect(app.of("keepDraftFile")).toMatchObject([{ name: "a.txt", mediaType: "text/plain", base64: btoa("x".repeat(9)) }]);
		expect(app.of("send")).toMatchObject([{ draft: { files: app.of("keepDraftFile").map(({ fileId }) => fileId) } }]);
	});

	it("keeps what is typed in the app, also when the page goes away before it was", async () => {
		const { type } = compose({ thread: detail() });
		type("half a thou");
		dispatchEvent(new Event("pagehide"));
		await until("it is kept", () => app.of("saveDraft").length === 1);
		expect(app.of("saveDraft")).toMatchObject([{ threadId: "thread1", draft: { prompt: "half a thou" } }]);
	});

	it("begins with the draft that the app kept", () => {
		const { field } = compose({ thread: detail({ draft: { prompt: "half", updatedAt: at(1) } }) });
		expect(field).toHaveProperty("value", "half");
	});

	it("brings back what was asked before by Up, and only into an empty field", () => {
		const { field, type, press } = compose({ thread: detail() });
		press("ArrowUp");
		expect(field).toHaveProperty("value", "do it");
		type("do it now");
		press("ArrowUp");
		expect(field).toHaveProperty("value", "do it now");
	});
});

describe("messages that wait", () => {
	const message = (name: string) => ({
		queuedId: TurnId.parse(name),
		prompt: name,
		routing: { executionTarget: "agent" as const },
		attachments: [],
		createdAt: at(0),
	});
	const waiting = (queueHeld: boolean) => {
		const here = new InApp();
		render(<QueuedList detail={detail({ queued: [message("first"), message("second")], queueHeld })} />, { wrapper: here.wrapper });
	};

	it("are put in another order, and taken back", async () => {
		waiting(false);
		fireEvent.click(screen.getAllByRole("button", { name: "Earlier" })[1] ?? document.body);
		await until("it moved", () => app.of("moveQueued").length === 1);
		expect(app.of("moveQueued")).toEqual([{ threadId: "thread1", queuedId: "second", position: 0 }]);
		expect(screen.queryByRole("button", { name: "Send the next now" })).toBeNull();
	});

	it("that are held are sent by the person alone", async () => {
		waiting(true);
		fireEvent.click(screen.getByRole("button", { name: "Send the next now" }));
		await until("it is sent", () => app.of("sendQueued").length === 1);
	});
});
