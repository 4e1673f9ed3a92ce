import { setImmediate } from "node:timers/promises";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { ThreadId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Draft } from "../../../src/api/ui-api.ts";
import { DraftFileId } from "../../../src/threads/domain/composed-message.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { compose, composerApp, detail, leaveComposer } from "../composer/composer-scene.tsx";
import { at } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => {
	vi.unstubAllGlobals();
	leaveComposer(app);
});

const kept = (name: string) => ({
	...{ fileId: DraftFileId.parse(`file-${name.replace(".", "-")}`), name, mediaType: "text/plain", sizeBytes: 1, sha256: "0".repeat(64) },
});
const files = [kept("a.txt"), kept("theirs.txt")];
const other: Draft = { prompt: "three: other", files, updatedAt: at(1) };
const mine = { prompt: "one: careful words", options: { requiresExport: true }, files: ["a.txt"] };

describe("what was typed in a tab", () => {
	const places = [["a thread", ThreadId.parse("thread1")] as const, ["a new thread", undefined] as const];
	/** The page's program as it is after a reload: it remembers nothing. */
	const loaded = () => {
		vi.resetModules();
		return import("../../../src/ui/drafts/own-drafts.ts");
	};

	it.each(places)("for %s comes before another window's words after a reload, with its own files", async (_, place) => {
		(await loaded()).noteOwn(place, mine);
		const { draftFor } = await loaded();
		expect(draftFor(place, other)).toEqual({ ...other, ...mine.options, prompt: mine.prompt, files: [kept("a.txt")] });
		expect(draftFor(place, undefined)).toMatchObject({ prompt: "one: careful words", requiresExport: true });
	});

	it.each(places)("for %s is gone once it was sent: the app's draft is what is left", async (_, place) => {
		const before = await loaded();
		before.noteOwn(place, mine);
		before.noteOwn(place, undefined);
		// The app's state is told when a page is loaded; what it said about a new thread is older than the sent message.
		expect(before.draftFor(place, other)).toEqual(place === undefined ? undefined : other);
		expect((await loaded()).draftFor(place, other)).toEqual(other);
	});

	it.each(places)("for %s gives way to the app's draft when the tab keeps nothing more, and never to older words", async (_, place) => {
		const before = await loaded();
		before.noteOwn(place, { ...mine, prompt: "one" });
		const real = sessionStorage;
		const full = () => {
			throw new DOMException("full", "QuotaExceededError");
		};
		const removeItem = (key: string) => real.removeItem(key);
		vi.stubGlobal("sessionStorage", { getItem: (key: string) => real.getItem(key), removeItem, setItem: full });
		before.noteOwn(place, mine);
		expect((await loaded()).draftFor(place, { ...other, prompt: "one: careful words" })).toMatchObject({ prompt: "one: careful words" });
		vi.stubGlobal("sessionStorage", undefined);
		(await loaded()).noteOwn(place, mine);
		expect((await loaded()).draftFor(place, other)).toEqual(other);
	});

	it("is not read from what something else has written", async () => {
		sessionStorage.setItem("xworkmate.new", "{]");
		expect((await loaded()).draftFor(undefined, other)).toEqual(other);
		sessionStorage.setItem("xworkmate.new", '{"prompt":1}');
		expect((await loaded()).draftFor(undefined, other)).toEqual(other);
	});
});

describe("a composer in one of two windows", () => {
	const leave = async () => {
		dispatchEvent(new Event("pagehide"));
		await act(async () => undefined);
		cleanup();
	};

	it("opens with what was typed and attached here when the other window typed last", async () => {
		const mine = compose(app, { thread: detail({ draft: { prompt: "", files: [kept("a.txt")], updatedAt: at(1) } }) });
		mine.type("one: careful words");
		await leave();
		const { field } = compose(app, { thread: detail({ draft: { ...other, earlier: ["one: careful words"] } }) });
		expect(field).toHaveProperty("value", "one: careful words");
		const attached = screen.getByRole("list", { name: "Attached files" }).textContent;
		expect([attached?.includes("a.txt"), attached?.includes("theirs.txt")]).toEqual([true, false]);
		await leave();
		// Opening it wrote nothing over the other window's words.
		expect(app.of("saveDraft")).toHaveLength(1);
	});

	it("shows what another window left unsent, to be added to the message or deleted", async () => {
		const { field } = compose(app, { thread: detail({ draft: { prompt: "mine", earlier: ["theirs", "old"], updatedAt: at(1) } }) });
		const left = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);
		expect(left()).toEqual(["theirsAdd to message", "oldAdd to message"]);
		await act(async () => fireEvent.click(screen.getAllByRole("button", { name: "Add to message" })[0] ?? field));
		expect([(field as HTMLTextAreaElement).value, left()]).toEqual(["theirs\n\nmine", ["oldAdd to message"]]);
		await act(async () => fireEvent.click(screen.getByRole("button", { name: "Delete this text" })));
		expect([app.of("saveDraft"), left()]).toEqual([[{ threadId: "thread1", draft: { prompt: "" }, over: "old" }], []]);
	});

	it("shows the words that took the place of its own in the app, which are another window's", async () => {
		compose(app, { thread: detail() }).type("one: careful words");
		await leave();
		const { field } = compose(app, { thread: detail({ draft: { ...other, earlier: ["one: careful words"] } }) });
		expect(field).toHaveProperty("value", "one: careful words");
		expect(screen.getAllByText("three: other")).toHaveLength(1);
	});

	it("shows the app's draft where nothing was typed here", async () => {
		compose(app, { thread: detail({ draft: { ...other, prompt: "half" } }) });
		await leave();
		expect(compose(app, { thread: detail({ draft: other }) }).field).toHaveProperty("value", "three: other");
	});

	it("gives the app the words that it does not have, as after an app that died before it saved them", async () => {
		compose(app, { thread: detail() }).type("one: careful words");
		await leave();
		expect(compose(app, { thread: detail({ draft: { prompt: "one", updatedAt: at(1) } }) }).field).toHaveProperty("value", mine.prompt);
		await leave();
		expect(app.of("saveDraft")).toMatchObject([{ draft: { prompt: mine.prompt } }, { draft: { prompt: mine.prompt } }]);
	});

	it("has the app keep its words again when another window sent the draft", async () => {
		compose(app, { thread: detail() }).type("one: careful words");
		await leave();
		expect(compose(app, { thread: detail() }).field).toHaveProperty("value", "one: careful words");
		await leave();
		expect(app.of("saveDraft")).toMatchObject([{ draft: { prompt: "one: careful words" } }, { draft: { prompt: "one: careful words" } }]);
	});

	it("takes only its own words out of the draft when they are sent or removed", async () => {
		const { type, press, settled } = compose(app, { thread: detail() });
		type("one: careful words");
		dispatchEvent(new Event("pagehide"));
		press("Enter");
		await act(() => settled(1));
		await act(() => until("the draft is emptied", () => app.of("saveDraft").length > 1));
		expect(app.of("saveDraft")[1]).toEqual({ threadId: "thread1", draft: { prompt: "" }, over: "one: careful words" });
		cleanup();
		expect(compose(app, { thread: detail({ draft: other }) }).field).toHaveProperty("value", "three: other");
	});

	it("empties the draft of a sent message only once the app has the words that were still on their way", async () => {
		const kept = Promise.withResolvers<null>();
		app.answers.set("saveDraft", () => kept.promise);
		const { type, press, settled } = compose(app, { thread: detail() });
		type("do it");
		await act(() => until("the words are on their way", () => app.of("saveDraft").length === 1));
		press("Enter");
		await act(() => settled(1));
		expect(screen.getByRole("textbox", { name: "Message" })).toHaveProperty("value", "");
		expect(app.of("saveDraft")).toHaveLength(1);
		kept.resolve(null);
		await act(() => until("the draft is emptied", () => app.of("saveDraft").length === 2));
		expect(app.of("saveDraft")[1]).toMatchObject({ draft: { prompt: "" }, over: "do it" });
	});

	it("does not come back if its composer is left at the moment in which its message is sent", async () => {
		app.answers.set("saveDraft", ({ draft }) => {
			if (Object(draft).prompt === "") cleanup();
			return null;
		});
		const { type, press } = compose(app, {});
		type("do it");
		dispatchEvent(new Event("pagehide"));
		press("Enter");
		await until("the draft is emptied", () => app.of("saveDraft").length > 1);
		await setImmediate();
		expect(app.of("saveDraft")).toMatchObject([{ draft: { prompt: "do it" } }, { draft: { prompt: "" } }]);
	});
});
