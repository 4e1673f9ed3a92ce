import { describe, expect, it } from "vitest";
import type { QueuedMessage } from "../../src/api/ui-api.ts";
import { queued } from "../support/queued-thread.ts";
import { UiScene } from "../support/ui-scene.ts";
import { until } from "../support/until.ts";

describe("a queued message that is being edited", () => {
	it("keeps what is typed over a restart, and is not sent before it is saved", async () => {
		await using ui = await UiScene.open();
		const { threadId, run, detail } = await queued(ui, "second", "third");
		const [message] = (await detail()).queued;
		const edit = (change: object) => ui.call<QueuedMessage[]>("editQueued", { threadId, queuedId: message?.queuedId, change });
		expect((await edit({ isEdited: true })).result[0]).toMatchObject({ prompt: "second", typed: "second" });
		await edit({ typed: "second, bet" });
		// Another window that continues with the edit gets what is typed, not the old words.
		expect((await edit({ isEdited: true })).result[0]).toMatchObject({ prompt: "second", typed: "second, bet" });
		await ui.scene.restart(() => void run().end("completed"));
		await ui.serve();
		await ui.signIn();
		await until("the run is over", async () => (await detail()).thread.lifecycleStatus === "ready");
		expect(await detail()).toMatchObject({ queueHeld: true, queued: [{ prompt: "second", typed: "second, bet" }, { prompt: "third" }] });
		expect(await ui.call("sendQueued", { threadId })).toMatchObject({ error: { code: "THREAD_BUSY" } });
		expect(ui.scene.submitted).toEqual(["first"]);
		await edit({ prompt: "second, better" });
		await until("it runs", () => ui.scene.bridge.runs.length === 2);
		run().end("completed");
		await until("the last one runs", () => ui.scene.bridge.runs.length === 3);
		run().end("completed");
		expect(ui.scene.submitted).toEqual(["first", "second, better", "third"]);
		expect(await edit({ typed: "too late" })).toMatchObject({ status: 404, error: { code: "QUEUED_NOT_FOUND" } });
	});

	it("goes with its old words when the edit is given up, and is told of to every list of threads meanwhile", async () => {
		await using ui = await UiScene.open();
		const { threadId, run, detail } = await queued(ui, "second");
		await using page = await ui.page();
		const listed = () => page.state.threads.find((thread) => thread.threadId === threadId)?.editedCount ?? 0;
		const queuedId = (await detail()).queued[0]?.queuedId;
		await ui.call("editQueued", { threadId, queuedId, change: { isEdited: true } });
		await until("the list says so", () => listed() === 1);
		await ui.call("editQueued", { threadId, queuedId, change: { typed: "" } });
		run().end("completed");
		await until("the run is over", async () => (await detail()).thread.lifecycleStatus === "ready");
		expect(await detail()).toMatchObject({ queueHeld: true, queued: [{ prompt: "second", typed: "" }] });
		await ui.call("editQueued", { threadId, queuedId, change: { isEdited: false } });
		await until("it runs", () => ui.scene.bridge.runs.length === 2);
		await until("the list says so", () => listed() === 0);
		run().end("completed");
		expect(ui.scene.submitted).toEqual(["first", "second"]);
	});

	it("is sent with the new words, or Save says that it was sent before", async () => {
		await using ui = await UiScene.open();
		const { threadId, run, detail } = await queued(ui, "second");
		const queuedId = (await detail()).queued[0]?.queuedId;
		run().end("failed", {}, "PROVIDER_ERROR");
		await until("the run is over", async () => (await detail()).queueHeld);
		const [sent, saved] = await Promise.all([
			ui.call("sendQueued", { threadId }),
			ui.call("editQueued", { threadId, queuedId, change: { prompt: "second, better" } }),
		]);
		await until("it runs", () => ui.scene.bridge.runs.length === 2);
		run().end("completed");
		expect([sent.status, saved.status, saved.error?.code, ...ui.scene.submitted]).toEqual(
			saved.status === 200 ? [200, 200, undefined, "first", "second, better"] : [200, 404, "QUEUED_NOT_FOUND", "first", "second"],
		);
	});

	it("goes into the draft with the words that are typed", async () => {
		await using ui = await UiScene.open();
		const { threadId, run, detail } = await queued(ui, "second");
		const queuedId = (await detail()).queued[0]?.queuedId;
		await ui.call("editQueued", { threadId, queuedId, change: { typed: "second, better" } });
		const { result } = await ui.call<object>("dropQueued", { threadId, queuedId, toDraft: true });
		expect(result).toMatchObject({ draft: { prompt: "second, better" } });
		run().end("completed");
	});
});
