import type { ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { SentTurn } from "../../src/api/app-api.ts";
import type { Draft, ThreadDetail } from "../../src/api/ui-api.ts";
import { queued } from "../support/queued-thread.ts";
import { UiScene } from "../support/ui-scene.ts";
import { until } from "../support/until.ts";

const routing = { executionTarget: "agent" } as const;

/** What a window that is opened now is told that is typed. */
async function draftOf(ui: UiScene, threadId?: ThreadId): Promise<Draft | undefined> {
	if (threadId !== undefined) return (await ui.call<ThreadDetail>("readThread", { threadId })).result.draft;
	await using page = await ui.page();
	await until("the state is there", () => page.seen.length > 0);
	return page.state.newDraft;
}

describe("a draft that two windows write", () => {
	it("keeps the words of one when the other sends its own, in a new thread and behind a run", async () => {
		await using ui = await UiScene.open();
		const { threadId, run } = await queued(ui);
		await ui.call("saveDraft", { threadId, draft: { prompt: "three: other", routing } });
		await ui.call("queueMessage", { threadId, prompt: "one: careful words", routing, draft: { files: [] } });
		expect(await draftOf(ui, threadId)).toMatchObject({ prompt: "three: other" });
		await ui.call("queueMessage", { threadId, prompt: "three: other", routing, draft: { files: [] } });
		expect(await draftOf(ui, threadId)).toBeUndefined();
		run().end("failed", {}, "PROVIDER_ERROR");
		await ui.call("saveDraft", { draft: { prompt: "three: other", routing } });
		const file = { fileId: "file-one", name: "a.txt", mediaType: "text/plain", base64: "YQ==" };
		await ui.call("keepDraftFile", file);
		const sent = await ui.call<SentTurn>("send", { prompt: "one: careful words", routing, draft: { files: ["file-one"] } });
		const { files, ...left } = (await draftOf(ui)) ?? {};
		expect([left, files]).toEqual([{ prompt: "three: other", routing, updatedAt: expect.any(String) }, undefined]);
		await until("it runs", () => ui.scene.bridge.runs.length === 2);
		run().end("completed");
		await ui.scene.end(sent.result);
	});

	it("keeps the words of a window that was closed beside those that another types over them, once each", async () => {
		await using ui = await UiScene.open();
		const { threadId, run } = await queued(ui);
		const save = (prompt: string, over: string) => ui.call("saveDraft", { threadId, draft: { prompt, routing }, over });
		await save("one: half a tho", "");
		await save("one: half a thought", "one: half a tho");
		await save("two: o", "");
		await save("two: other", "two: o");
		expect(await draftOf(ui, threadId)).toMatchObject({ prompt: "two: other", earlier: ["one: half a thought"] });
		// They are in the other's message now.
		await save("one: half a thought\n\ntwo: other", "two: other");
		expect(await draftOf(ui, threadId)).toEqual({ prompt: "one: half a thought\n\ntwo: other", routing, updatedAt: expect.any(String) });
		await save("three", "");
		await ui.call("queueMessage", { threadId, prompt: "three", routing, draft: { files: [] } });
		expect(await draftOf(ui, threadId)).toMatchObject({ prompt: "one: half a thought\n\ntwo: other" });
		run().end("failed", {}, "PROVIDER_ERROR");
	});

	it("is told to every window when it appears, is deleted or is sent, in a new thread", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		await using page = await ui.page();
		await until("the state is there", () => page.seen.length > 0);
		const isTold = (prompt: string | undefined) => until(`it is ${prompt}`, () => page.state.newDraft?.prompt === prompt);
		await ui.call("saveDraft", { draft: { prompt: "one", routing } });
		await isTold("one");
		await ui.call("saveDraft", { draft: { prompt: "" }, over: "one" });
		await isTold(undefined);
		await ui.call("saveDraft", { draft: { prompt: "two", routing } });
		await isTold("two");
		ui.scene.bridge.onRun = (run) => void run.end("completed");
		const { result } = await ui.call<SentTurn>("send", { prompt: "two", routing, draft: { files: [] } });
		await isTold(undefined);
		await ui.scene.end(result);
	});

	it("keeps the words of one when the other empties its own", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		await ui.call("saveDraft", { draft: { prompt: "three: other" } });
		await ui.call("saveDraft", { draft: { prompt: "" }, over: "one: careful words" });
		expect(await draftOf(ui)).toMatchObject({ prompt: "three: other" });
		await ui.call("saveDraft", { draft: { prompt: "" }, over: "three: other" });
		expect(await draftOf(ui)).toBeUndefined();
	});
});

it("a new order of queued messages is told to every window", async () => {
	await using ui = await UiScene.open();
	const { threadId, run, detail } = await queued(ui, "second", "third");
	await using page = await ui.page();
	const changes = () => page.state.threads.find((thread) => thread.threadId === threadId)?.queueChanges ?? 0;
	await until("the state is there", () => page.seen.length > 0);
	const before = changes();
	await ui.call("moveQueued", { threadId, queuedId: (await detail()).queued[1]?.queuedId, position: 0 });
	await until("the thread's summary is another", () => changes() > before);
	run().end("failed", {}, "PROVIDER_ERROR");
});
