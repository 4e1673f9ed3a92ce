import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Frame } from "../../../src/ui/frame.tsx";
// Loaded on demand in a browser; here the first one would wait for its compilation.
import "../../../src/ui/overlays/overlays.tsx";
import "../../../src/ui/pages/new-thread-page.tsx";
import "../../../src/ui/pages/thread-page.tsx";
import type { QueuedMessage } from "../../../src/api/ui-api.ts";
import { leftDraft, noteTyped } from "../../../src/ui/drafts/left-drafts.ts";
import { forgetEdit } from "../../../src/ui/drafts/queued-edits.ts";
import { ThreadRow } from "../../../src/ui/sidebar/thread-row.tsx";
import { route } from "../../../src/ui/state/route.ts";
import { tagFilter } from "../../../src/ui/state/tag-filter.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { integration, newIntegration } from "../action-stories.ts";
import { detail, provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { approval, appState, at, ended, summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	app.answers.set("readThread", () => Promise.reject(new Error("it is not read here")));
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
	location.hash = "";
	sessionStorage.clear();
	act(() => {
		route.set({ page: "home" });
		tagFilter.set(undefined);
	});
});

const gone = () => Object.assign(new Error("There is no such thread."), { name: "THREAD_NOT_FOUND" });
const turn = ended({}, undefined).turn;
const show = (here: InApp) => render(<Frame />, { wrapper: here.wrapper });
const search = () => screen.getByRole("searchbox", { name: "Search threads" });
const found = (...threadIds: readonly string[]) => ({
	threads: threadIds.map((threadId) => ({ threadId, excerpt: "Another" })),
	isFull: false,
});
const type = (text: string) => fireEvent.change(search(), { target: { value: text } });

describe("search", () => {
	const threads = [summary("a", 2, { title: "Über den Wolken" }), summary("b", 1, { title: "Another" })];

	it.each([
		["in the title", "Über den Wolken", "Über den Wolken", ["Über"]],
		["in what the thread says", "Another", "…the sky above ÜBERALL…", ["ÜBER"]],
	])("[D10] marks the hit %s", (_, title, excerpt, marked) => {
		const row = { thread: summary("a", 1, { title }), state: "succeeded", excerpt, wanted: "uber", isStop: true } as const;
		const { container } = render(<ThreadRow {...row} />, { wrapper: new InApp(appState).wrapper });
		expect([...container.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual(marked);
	});

	it.each([
		["archived", "uber", true],
		["archived", "", false],
		["ready", "uber", false],
	] as const)("says of a hit that it is archived: %s, searched for %j", (lifecycleStatus, wanted, isSaid) => {
		const row = {
			thread: summary("a", 1, { title: "Über", lifecycleStatus }),
			state: "succeeded",
			excerpt: "Über",
			wanted,
			isStop: true,
		} as const;
		render(<ThreadRow {...row} />, { wrapper: new InApp(appState).wrapper });
		expect(screen.queryByText("Archived") !== null).toBe(isSaid);
	});

	it("[D10] opens the first hit by Enter, also when it is still being looked for", async () => {
		app.answers.set("searchThreads", () => found("b"));
		show(new InApp({ ...appState, threads }));
		type("another");
		fireEvent.keyDown(search(), { key: "Enter" });
		await act(() => until("it is opened", () => location.hash === "#/t/b"));
	});

	it("says aloud how much it found", async () => {
		app.answers.set("searchThreads", ({ text }) => (text === "another" ? found("b") : found()));
		const here = new InApp({ ...appState, threads });
		show(here);
		type("another");
		await act(() => until("it is said", () => here.said.includes("1 result")));
		type("nothing");
		await act(() =>
			until("it is said", () => here.said.includes("No results for “nothing” in titles, sent messages, final answers or file names.")),
		);
	});

	it("looks only for threads with the chosen tag, and says so, shown and aloud", async () => {
		const tagged = ({ text }: { readonly text?: unknown }) => (text === "another" ? found("c") : found());
		app.answers.set("searchThreads", ({ text, tag }) => (tag === "Café" ? tagged({ text }) : found("a", "b")));
		const here = new InApp({ ...appState, threads: [...threads, summary("c", 0, { title: "Another", tags: ["Café"] })] });
		show(here);
		fireEvent.click(screen.getByRole("button", { name: "Tag Café" }));
		type("another");
		await act(() => until("it is said", () => here.said.includes("1 result")));
		type("other");
		const none = "No results for “other” with the tag “Café”.";
		await act(() => until("it is said", () => here.said.includes(none)));
		expect(screen.getByText(none)).toBeTruthy();
		fireEvent.click(screen.getByRole("button", { name: "Tag Café" }));
		await act(() => until("it is said", () => here.said.includes("2 results")));
		expect(screen.queryByText(none)).toBeNull();
	});

	it("that failed says so and why, shown and aloud, and is done again when the app is back", async () => {
		app.isThere = false;
		const here = new InApp({ ...appState, threads });
		show(here);
		type("another");
		const why = /^Couldn’t search for “another”\. .*\.$/;
		await act(() => until("it is said", () => here.said.some((said) => why.test(said))));
		expect(screen.getByText(why)).toBeTruthy();
		expect(screen.queryByText(/No results/)).toBeNull();
		act(() => here.link.set("gone"));
		app.isThere = true;
		app.answers.set("searchThreads", () => found("b"));
		act(() => here.link.set("live"));
		await act(() => until("it is found", () => here.said.includes("1 result")));
		expect(screen.queryByText(why)).toBeNull();
	});

	it("that the app doesn't answer says so as soon as the app is known not to respond, and shows the answer when it comes", async () => {
		let answer: (found: object) => void = () => {};
		app.answers.set("searchThreads", () => new Promise((done) => (answer = done)));
		const here = new InApp({ ...appState, threads });
		show(here);
		type("another");
		await act(() => until("it is asked", () => app.calls.some(({ method }) => method === "searchThreads")));
		act(() => here.link.set("gone"));
		expect(screen.getByText("Couldn’t search for “another”. The app isn’t responding.")).toBeTruthy();
		expect(screen.queryByRole("link", { name: /Über/ })).toBeNull();
		await act(async () => {
			here.link.set("live");
			answer(found("b"));
		});
		await act(() => until("it is found", () => here.said.includes("1 result")));
	});

	it("finds what comes to match while it is shown", async () => {
		app.answers.set("searchThreads", () => found());
		const here = new InApp({ ...appState, threads });
		show(here);
		type("another");
		await act(() => until("nothing is found", () => here.said.some((one) => one.startsWith("No results for “another” in"))));
		app.answers.set("searchThreads", () => found("b"));
		act(() => here.app.set({ ...here.app.value, threads: [...threads] }));
		await act(() => until("it is found", () => here.said.includes("1 result")));
	});

	it("is cleared by its own button, which gives the focus back", async () => {
		show(new InApp({ ...appState, threads }));
		expect(screen.queryByRole("button", { name: "Clear search" })).toBeNull();
		type("x");
		fireEvent.click(screen.getByRole("button", { name: "Clear search" }));
		expect(search()).toHaveProperty("value", "");
		expect(document.activeElement).toBe(search());
	});
});

describe("a thread that is not there", () => {
	const open = (name: string) => {
		location.hash = `#/t/${name}`;
		act(() => route.set({ page: "thread", threadId: ThreadId.parse(name) }));
	};

	it("[D17] is said to be gone by its address, with nothing to write into", async () => {
		app.answers.set("readThread", () => Promise.reject(gone()));
		open("nope");
		show(new InApp({ ...appState, threads: [summary("a", 1)] }));
		await screen.findByRole("heading", { name: "This thread doesn’t exist. It may have been deleted." });
		expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
	});

	it("[D17] is said to be gone once another window has deleted it", async () => {
		open("a");
		const here = new InApp({ ...appState, threads: [summary("a", 1), summary("b", 1)] });
		show(here);
		await act(() => until("it is read", () => app.of("readThread").length > 0));
		expect(screen.queryByText("This thread doesn’t exist. It may have been deleted.")).toBeNull();
		app.answers.set("readThread", () => Promise.reject(gone()));
		act(() => here.app.set({ ...here.app.value, threads: [summary("b", 1)] }));
		await screen.findByRole("heading", { name: "This thread doesn’t exist. It may have been deleted." });
		expect(screen.getAllByText("This thread doesn’t exist. It may have been deleted.")).toHaveLength(1);
	});

	it("keeps what was typed here, over a reload too, until it is in a new message", async () => {
		app.answers.set("readThread", () => detail());
		app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
		app.answers.set("recentPrompts", () => []);
		const here = new InApp({ ...stateOf(provider("codex", true)), threads: [summary("thread1", 1)] });
		open("thread1");
		show(here);
		fireEvent.change(await screen.findByRole("textbox", { name: "Message" }), { target: { value: "precious\ndraft" } });
		app.answers.set("readThread", () => Promise.reject(gone()));
		act(() => here.app.set({ ...here.app.value, threads: [summary("b", 1)] }));
		const left = await screen.findByRole("region", { name: "Your unsent message" });
		expect(left.textContent).toContain("precious\ndraft");
		cleanup();
		// Another thread's composer is what this page knows of then.
		noteTyped(ThreadId.parse("b"), { prompt: "", options: {}, files: [] });
		show(here);
		fireEvent.click(await screen.findByRole("button", { name: "Use in a new thread" }));
		expect(await screen.findByRole("textbox", { name: "Message" })).toHaveProperty("value", "precious\ndraft");
		await act(() => until("it is kept", () => leftDraft(ThreadId.parse("thread1")) === undefined));
		expect(app.of("saveDraft").at(-1)).toMatchObject({ draft: { prompt: "precious\ndraft" } });
	});

	it("keeps the edits of its queued messages too, those of an earlier page as well", async () => {
		const message = (name: string, typed: string): QueuedMessage => ({
			...{ queuedId: TurnId.parse(name), prompt: name, routing: { executionTarget: "agent" } },
			...{ attachments: [], createdAt: at(0), typed },
		});
		const queued = [message("first", "first, before the reload"), message("second", "second, ha"), message("third", "third")];
		app.answers.set("readThread", () => detail({ queued }));
		app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
		app.answers.set("recentPrompts", () => []);
		const here = new InApp({ ...stateOf(provider("codex", true)), threads: [summary("thread1", 1)] });
		open("thread1");
		show(here);
		const [, edited] = await screen.findAllByRole("textbox", { name: "Edit" });
		fireEvent.change(edited ?? document.body, { target: { value: "second, half a thought" } });
		fireEvent.change(screen.getByRole("textbox", { name: "Message" }), { target: { value: "and a draft" } });
		app.answers.set("readThread", () => Promise.reject(gone()));
		app.answers.set("editQueued", () => Promise.reject(gone()));
		act(() => here.app.set({ ...here.app.value, threads: [summary("b", 1)] }));
		const words = "first, before the reload\n\nsecond, half a thought\n\nand a draft";
		const left = () => screen.findByRole("region", { name: "Your unsent message" });
		expect((await left()).textContent).toContain(words);
		cleanup();
		// A page that is loaded again knows of none of them.
		for (const { queuedId } of queued) forgetEdit(queuedId);
		noteTyped(ThreadId.parse("b"), { prompt: "", options: {}, files: [] });
		show(here);
		expect((await left()).textContent).toContain(words);
		fireEvent.click(screen.getByRole("button", { name: "Use in a new thread" }));
		await act(() => until("it is kept", () => leftDraft(ThreadId.parse("thread1")) === undefined));
		expect(app.of("saveDraft").at(-1)).toMatchObject({ draft: { prompt: expect.stringContaining(words) } });
	});
});

describe("Home", () => {
	const now = new Date().toISOString();
	const of = (name: string, status: typeof turn.status, more: object = {}) =>
		summary(name, 1, { updatedAt: now, lastTurn: { ...turn, status, ...more } });

	it("[D20] lists under finished what succeeded, and offers what helps beside what did not", () => {
		const threads = [
			of("done", "completed"),
			of("lacking", "artifact_missing", { resultDetail: { code: "REQUIRED_ARTIFACT_MISSING" } }),
			of("broken", "failed", { resultDetail: { code: "PROVIDER_EXITED" } }),
			of("stopped", "cancelled"),
		];
		show(new InApp({ ...appState, threads }));
		const section = (name: string) => within(within(screen.getByRole("main")).getByRole("region", { name }));
		expect(
			section("Finished today")
				.getAllByRole("link")
				.map(({ textContent }) => textContent),
		).toEqual(["done"]);
		expect(
			section("Stopped today")
				.getAllByRole("link")
				.map(({ textContent }) => textContent),
		).toEqual(["stopped"]);
		const attention = section("Needs attention");
		expect(attention.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["lacking", "broken"]);
		expect(attention.getAllByRole("button")).toHaveLength(2);
	});

	it("[D20] has the number that the list has, also for messages on hold", () => {
		const held = { ...of("held", "failed"), queuedCount: 2 };
		const asked = approval({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
		show(new InApp({ ...appState, threads: [held, summary("thread1", 1)], approvals: [asked] }));
		expect(screen.getByRole("link", { name: /^Home/ }).textContent).toBe("Home2 waiting for you");
		expect(document.title).toMatch(/^\(2\) /);
	});
});

describe("the row of tools", () => {
	it("says how many versions wait for a review, and follows the tools", async () => {
		let integrations = [newIntegration, integration("calendar")];
		app.answers.set("listTools", () => ({ integrations }));
		const here = new InApp();
		show(here);
		expect(await screen.findByRole("link", { name: "Tools 1 to review" })).toBeDefined();
		integrations = [integration("calendar")];
		act(() => here.appLink.toolNews.set(1));
		expect(await screen.findByRole("link", { name: "Tools" })).toBeDefined();
	});
});
