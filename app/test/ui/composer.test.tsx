import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { ProviderId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { createRef, type Ref } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppState, Draft, ThreadDetail } from "../../src/core/ui-api.ts";
import { DraftFileId } from "../../src/threads/composed-message.ts";
import { Composer, type ComposerHandle } from "../../src/ui/shell/composer.tsx";
import { NowPage } from "../../src/ui/shell/now-page.tsx";
import { setPreferences } from "../../src/ui/shell/preferences.ts";
import { QueuedList } from "../../src/ui/shell/queued-list.tsx";
import { FakeApp } from "../support/fake-app.ts";
import { fakeCapabilities } from "../support/fake-capabilities.ts";
import { until } from "../support/until.ts";
import { InApp } from "./in-app.tsx";
import { appState, at, ended, summary } from "./stories.ts";

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
	setPreferences({ providerId: "" });
});

const features = { approvals: true, followUp: true, resume: true, attachments: true };
const provider = (name: string, available: boolean) => ({
	...{ providerId: ProviderId.parse(name), label: name, target: "agent" as const, features, available },
	...(!available && { unavailable: { code: "PROVIDER_NOT_INSTALLED" as const, message: "it is not here", fix: `Install: npm i ${name}` } }),
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
	ref?: Ref<ComposerHandle>;
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
	return { here, field, type, press, attach, settled, send: screen.getByRole("button", { name: /^(?:Send$|Add to queue)/ }) };
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

/** What an agent list shows, in its order. */
const offered = (place: HTMLElement) => [...place.querySelectorAll("[data-provider]")].map((row) => row.getAttribute("data-provider"));

describe("[D11] plain words to Script", () => {
	const toScript = {
		draft: { prompt: "", routing: { executionTarget: "agent", providerId: ProviderId.parse("script") }, updatedAt: at(1) } as Draft,
	};
	const providers = [provider("goose", false), provider("script", true), provider("codex", true), provider("qwen", false)];
	const offer = () => screen.getByRole("region", { name: "Choose an agent" });

	it("lead to an offer of agents in place of a run, found ones first, and one press uses one: nothing typed is lost", async () => {
		const { field, type, press, settled } = compose({ providers, thread: detail(toScript) });
		type("Write me a haiku");
		press("Enter");
		await act(async () => undefined);
		expect(offer().textContent).toContain("Script can only run TypeScript. To write in plain words, choose an agent.");
		expect(app.of("send")).toEqual([]);
		expect(offered(offer())).toEqual(["codex", "goose", "qwen"]);
		expect(offer().textContent).toContain("npm i goose");
		const use = within(offer()).getByRole("button", { name: "Use codex" });
		expect(document.activeElement).toBe(use);
		fireEvent.click(use);
		expect(field).toHaveProperty("value", "Write me a haiku");
		expect([screen.queryByRole("region", { name: "Choose an agent" }), document.activeElement]).toEqual([null, field]);
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "Write me a haiku", routing: { providerId: "codex" } }]);
	});

	it("say so quietly while they are typed, and a program is sent at once", async () => {
		const { field, type, press, settled } = compose({ providers, thread: detail(toScript) });
		const hint = () => document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
		expect(hint()).toBe("Script runs TypeScript programs.");
		type("Write me a haiku");
		expect(hint()).toBe("Script runs TypeScript programs, and this reads like plain words.");
		type("return 1");
		expect(hint()).toBe("Script runs TypeScript programs.");
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "return 1", routing: { providerId: "script" } }]);
	});

	it("are sent to Script all the same when that is asked for", async () => {
		const { type, press, settled } = compose({ providers, thread: detail(toScript) });
		type("Write me a haiku");
		press("Enter");
		fireEvent.click(within(offer()).getByRole("button", { name: "Send to Script anyway" }));
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "Write me a haiku", routing: { providerId: "script" } }]);
	});

	it("do not get into the queue unasked either, and Escape goes back to the text", async () => {
		const { field, type, press } = compose({ providers, thread: detail(toScript), busy: true });
		type("Write me a haiku");
		press("Enter");
		fireEvent.keyDown(offer(), { key: "Escape" });
		expect([screen.queryByRole("region", { name: "Choose an agent" }), document.activeElement]).toEqual([null, field]);
		expect([app.of("queueMessage"), field]).toMatchObject([[], { value: "Write me a haiku" }]);
	});

	it("wait while an agent is installed: the offer asks again, and then has it first", async () => {
		const { here, field, type, press } = compose({
			providers: [provider("script", true), provider("codex", false)],
			thread: detail(toScript),
		});
		type("Write me a haiku");
		press("Enter");
		expect(within(offer()).queryByRole("button", { name: /^Use/ })).toBeNull();
		const found = stateOf(provider("script", true), provider("codex", true));
		app.answers.set("testBridge", () => {
			here.app.set(found);
			return found.bridge;
		});
		await act(async () => fireEvent.click(within(offer()).getByRole("button", { name: "Check again" })));
		await act(() => until("it is found", () => within(offer()).queryByRole("button", { name: "Use codex" }) !== null));
		expect(here.said).toEqual(["1 found on this computer"]);
		expect(field).toHaveProperty("value", "Write me a haiku");
	});
});

describe("[D11] the way to an agent", () => {
	const home = (providers: ReturnType<typeof provider>[], threads: AppState["threads"]) => {
		const here = new InApp({ ...stateOf(...providers), threads });
		render(<NowPage />, { wrapper: here.wrapper });
		return screen.queryByRole("region", { name: /add an agent/i });
	};
	const asked = (name: string, who: string, status: "completed" | "failed") =>
		summary(name, 1, { providerId: who, lastTurn: { ...ended({}, undefined).turn, status } });
	const providers = [provider("goose", false), provider("script", true), provider("codex", true)];

	it("is on the first page, with the agents that were found before those that were not", () => {
		const first = home(providers, []);
		expect(first && offered(first)).toEqual(["codex", "goose"]);
		expect(first?.textContent).toContain("1 found on this computer");
	});

	it("stays on Home until one agent has worked, not until the first thread is there", () => {
		expect(home(providers, [asked("a", "script", "completed"), asked("b", "codex", "failed")])).not.toBeNull();
		cleanup();
		expect(home(providers, [asked("a", "script", "completed"), asked("b", "codex", "completed")])).toBeNull();
	});

	it("leads by one press to a new message for that agent, and keeps what was typed for a new thread", async () => {
		compose({ providers: [provider("script", true)] }).type("Write me a haiku");
		cleanup();
		home(providers, []);
		fireEvent.click(screen.getByRole("button", { name: "Use codex" }));
		expect(location.hash).toBe("#/new");
		await until("the choice is kept", () => app.of("saveDraft").length === 2);
		const kept = (providerId: string) => ({ draft: { prompt: "Write me a haiku", routing: { providerId } } });
		expect(app.of("saveDraft")).toMatchObject([kept("script"), kept("codex")]);
	});
});

describe("a new message", () => {
	it("asks for required files behind one button, which leads to their field", async () => {
		compose();
		expect(screen.queryByRole("group", { name: "Required files" })).toBeNull();
		fireEvent.click(screen.getByRole("button", { name: "Required files" }));
		const added = screen.getByRole("textbox", { name: "Add a required file" });
		await until("the field has the focus", () => document.activeElement === added);
		fireEvent.click(screen.getByRole("button", { name: "Required files" }));
		expect(screen.queryByRole("group", { name: "Required files" })).toBeNull();
	});

	it("says how much is attached only when little room is left", async () => {
		const { attach } = compose({ thread: detail() });
		await attach(file("a.txt", 9));
		await act(() => until("it is attached", () => app.of("keepDraftFile").length === 1));
		expect(document.querySelector(".tools-say")?.textContent).toBe("");
		expect(screen.getByText("a.txt").closest("li")?.textContent).not.toContain("hash");
		await attach(file("b.txt", 5));
		await act(() => until("it is said", () => document.querySelector(".tools-say")?.textContent === "14 B of 15 B attached"));
		for (const name of ["a.txt", "b.txt"]) fireEvent.click(screen.getByRole("button", { name: `Remove ${name}` }));
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
	const waiting = (more: Partial<ThreadDetail>, composer: Partial<ComposerHandle> = {}) => {
		const here = new InApp();
		const ref = createRef<ComposerHandle>();
		const still = { write: () => undefined, writeAgain: () => undefined, choose: () => undefined, focus: () => undefined };
		ref.current = { ...still, isFree: async () => true, takeUp: () => undefined, ...composer };
		const queued = [message("first"), message("second")];
		const shown = (now: Partial<ThreadDetail>) => (
			<QueuedList detail={detail({ queued, ...now })} composer={ref} reread={() => undefined} />
		);
		const { rerender } = render(shown(more), { wrapper: here.wrapper });
		return { here, show: (now: Partial<ThreadDetail>) => rerender(shown(now)) };
	};

	it("are put in another order", async () => {
		waiting({});
		fireEvent.click(screen.getAllByRole("button", { name: "Move up" })[1] ?? document.body);
		await until("it moved", () => app.of("moveQueued").length === 1);
		expect(app.of("moveQueued")).toEqual([{ threadId: "thread1", queuedId: "second", position: 0 }]);
		expect(screen.queryByRole("button", { name: "Resume queue" })).toBeNull();
	});

	it("that are held are sent by the person alone", async () => {
		waiting({ queueHeld: true });
		fireEvent.click(screen.getByRole("button", { name: "Resume queue" }));
		await until("it is sent", () => app.of("sendQueued").length === 1);
	});

	it("[D13] go back into the message field when they are removed and it is free", async () => {
		const draft: Draft = { prompt: "first", updatedAt: at(1) };
		app.answers.set("dropQueued", () => ({ draft }));
		const taken: Draft[] = [];
		const { here } = waiting({}, { takeUp: (given) => void taken.push(given) });
		fireEvent.click(screen.getAllByRole("button", { name: "Remove from queue" })[0] ?? document.body);
		await act(() => until("it is taken up", () => taken.length === 1));
		expect(app.of("dropQueued")).toEqual([{ threadId: "thread1", queuedId: "first", toDraft: true }]);
		expect([taken, here.said]).toEqual([[draft], ["Moved back to the message field"]]);
	});

	it("[D13] are kept beside the queue when something is typed, with Undo, which has the focus", async () => {
		app.answers.set("dropQueued", () => ({}));
		const { show } = waiting({}, { isFree: async () => false });
		fireEvent.click(screen.getAllByRole("button", { name: "Remove from queue" })[0] ?? document.body);
		await act(() => until("it is dropped", () => app.of("dropQueued").length === 1));
		expect(app.of("dropQueued")).toMatchObject([{ toDraft: false }]);
		await act(async () => show({ queued: [message("second")], removed: [message("first")] }));
		const removed = screen.getByRole("list", { name: "Removed from queue" });
		const undo = within(removed).getByRole("button", { name: "Undo" });
		expect([removed.textContent, document.activeElement]).toEqual(["firstUndo", undo]);
		fireEvent.click(undo);
		await act(() => until("it is put back", () => app.of("restoreQueued").length === 1));
		await act(async () => show({ queued: [message("first"), message("second")] }));
		expect(document.activeElement).toBe(screen.getAllByRole("button", { name: "Edit" })[0]);
		// Where nothing runs, putting one back sends it, and the button says so.
		show({ queued: [], removed: [message("first")] });
		expect(within(screen.getByRole("list", { name: "Removed from queue" })).getByRole("button", { name: "Send now" })).toBeTruthy();
	});

	it("[D13] that were removed come into the composer with their files, above what was typed meanwhile", async () => {
		const ref = createRef<ComposerHandle>();
		const fileId = DraftFileId.parse("file-of-queue");
		const files = [{ fileId, name: "a.txt", mediaType: "text/plain", sizeBytes: 3, sha256: "0".repeat(64) }];
		const { field, type } = compose({ thread: detail(), ref });
		expect(await act(() => ref.current?.isFree())).toBe(true);
		type("typed");
		expect(await act(() => ref.current?.isFree())).toBe(false);
		act(() => ref.current?.takeUp({ prompt: "queued", files, require: ["*.pdf"], updatedAt: at(1) }));
		expect(field).toHaveProperty("value", "queued\n\ntyped");
		expect(screen.getByRole("list", { name: "Attached files" }).textContent).toContain("a.txt");
		expect(screen.getByRole("group", { name: "Required files" }).textContent).toContain("*.pdf");
	});

	it("[D13] are not asked for as a draft while the app is still told of what was typed here", async () => {
		const ref = createRef<ComposerHandle>();
		const { promise, resolve } = Promise.withResolvers<void>();
		app.answers.set("saveDraft", () => promise);
		const { type } = compose({ thread: detail(), ref });
		type("typed");
		dispatchEvent(new Event("pagehide"));
		type("");
		let isFree: boolean | undefined;
		const asked = ref.current?.isFree().then((is) => {
			isFree = is;
		});
		await act(() => until("both are told", () => app.of("saveDraft").length === 2));
		expect(isFree).toBeUndefined();
		resolve();
		await act(async () => asked);
		expect(isFree).toBe(true);
	});
});
