import { setImmediate } from "node:timers/promises";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { ThreadId } from "@xworkmate/contracts";
import { createRef } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ComposerHandle } from "../../../src/ui/composer/composer-handle.ts";
import { draftFor } from "../../../src/ui/drafts/own-drafts.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { compose, composerApp, detail, leaveComposer } from "./composer-scene.tsx";

/** Everything that a press began without waiting for the app has happened. */
const idle = () => act(async () => void (await setImmediate()));

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

describe("text that is typed while a message is being sent", () => {
	const held = () => {
		const { promise, resolve } = Promise.withResolvers<object>();
		app.answers.set("send", () => promise);
		return () => resolve({ threadId: "thread1", turnId: "turn2" });
	};

	it.each([
		["after it, remains alone", "make it\nand then test it", "and then test it"],
		["into it, remains with it", "make it well", "well"],
		["in place of it, remains whole", "test it", "test it"],
	])("%s", async (_name, typed, left) => {
		const answer = held();
		const { field, type, press, settled } = compose(app, { thread: detail() });
		type("make it");
		press("Enter");
		await act(() => settled(1));
		type(typed);
		answer();
		await act(() => until("the message is gone from the field", () => "value" in field && field.value === left));
		expect(app.of("send")).toMatchObject([{ prompt: "make it" }]);
		dispatchEvent(new Event("pagehide"));
		await idle();
		expect(app.of("saveDraft").at(-1)).toMatchObject({ draft: { prompt: left } });
	});

	it("remains above a draft that was set aside for the message", async () => {
		const answer = held();
		const composer = createRef<ComposerHandle>();
		const thread = detail();
		const [again] = thread.turns;
		if (again === undefined) throw new Error("the thread has a turn");
		const { field, type, press, settled } = compose(app, { thread, ref: composer });
		type("my draft");
		act(() => composer.current?.writeAgain(again));
		press("Enter");
		await act(() => settled(1));
		type("do it and say so");
		answer();
		await act(() => until("both are there", () => "value" in field && field.value === "and say so\n\nmy draft"));
	});

	it("becomes the draft of the thread that the message begins, without what the message requires", async () => {
		const answer = held();
		const { type, press, settled } = compose(app);
		fireEvent.click(screen.getByRole("button", { name: "Required files" }));
		fireEvent.change(screen.getByRole("textbox", { name: "Add a required file" }), { target: { value: "a.pdf" } });
		type("make it");
		press("Enter");
		await act(() => settled(1));
		type("make it and test it");
		answer();
		await act(() => until("its thread is opened", () => location.hash.includes("thread1")));
		cleanup();
		expect(draftFor(ThreadId.parse("thread1"), undefined)).toMatchObject({ prompt: "and test it" });
		expect(draftFor(ThreadId.parse("thread1"), undefined)).not.toHaveProperty("require");
		expect(draftFor(undefined, undefined)).toBeUndefined();
	});
});
