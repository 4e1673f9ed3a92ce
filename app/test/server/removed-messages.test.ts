import { describe, expect, it } from "vitest";
import { queued } from "../support/queued-thread.ts";
import { UiScene } from "../support/ui-scene.ts";
import { until } from "../support/until.ts";

const routing = { executionTarget: "agent" } as const;

describe("messages behind a turn", () => {
	it("[D13] removed from the queue become the draft, whole with their files, and are there after a restart", async () => {
		await using ui = await UiScene.open();
		const { threadId, run, detail } = await queued(ui);
		const attachments = [{ name: "a.txt", mediaType: "text/plain", base64: "YQ==" }];
		const message = { threadId, prompt: "second", routing, require: ["*.pdf"], attachments };
		const { result } = await ui.call<{ queuedId: string }>("queueMessage", message);
		const dropped = await ui.call("dropQueued", { threadId, queuedId: result.queuedId, toDraft: true });
		const draft = { prompt: "second", routing, require: ["*.pdf"], files: [{ name: "a.txt", sizeBytes: 1 }] };
		expect(dropped).toMatchObject({ status: 200, result: { draft } });
		await ui.scene.restart(() => void run().end("completed"));
		await ui.serve();
		await ui.signIn();
		await until("the turn is over", async () => (await detail()).thread.lifecycleStatus === "ready");
		expect(await detail()).toMatchObject({ queued: [], draft });
		const files = (await detail()).draft?.files?.map(({ fileId }) => fileId);
		await ui.call("send", { threadId, prompt: "second", routing, draft: { files } });
		await until("it was sent", () => ui.scene.bridge.runs.length === 2);
		const submit = ui.scene.bridge.calls.findLast(({ method }) => method === "session.message");
		expect(submit?.params).toMatchObject({ prompt: "second", attachments: [{ name: "a.txt", base64: "YQ==" }] });
		run().end("completed");
	});

	it("[D13] removed while something else is typed are kept aside, never sent, and can be put back or deleted", async () => {
		await using ui = await UiScene.open();
		const { threadId, run, detail, waiting } = await queued(ui, "second", "third", "fourth");
		const ids = (await detail()).queued.map(({ queuedId }) => queuedId);
		await ui.call("saveDraft", { threadId, draft: { prompt: "half a thought" } });
		for (const [index, toDraft] of [true, true, false].entries())
			expect((await ui.call("dropQueued", { threadId, queuedId: ids[index], toDraft })).result).toEqual({});
		const removed = async () => (await detail()).removed?.map(({ prompt }) => prompt);
		expect([await waiting(), await removed(), (await detail()).draft?.prompt]).toEqual([
			[],
			["second", "third", "fourth"],
			"half a thought",
		]);
		await ui.call("restoreQueued", { threadId, queuedId: ids[1] });
		await ui.call("discardQueued", { threadId, queuedId: ids[2] });
		expect([await waiting(), await removed()]).toEqual([["third"], ["second"]]);
		await ui.scene.restart(() => void run().end("completed"));
		await ui.serve();
		await ui.signIn();
		await until("the one that was put back runs", () => ui.scene.bridge.runs.length === 2);
		run().end("completed");
		await until("all is over", async () => (await detail()).thread.lifecycleStatus === "ready");
		expect(ui.scene.submitted).toEqual(["first", "third"]);
		expect([await waiting(), await removed()]).toEqual([[], ["second"]]);
		// Put back where nothing runs, it is next: it goes.
		await ui.call("restoreQueued", { threadId, queuedId: ids[0] });
		await until("it runs", () => ui.scene.bridge.runs.length === 3);
		run().end("completed");
		expect(await ui.call("restoreQueued", { threadId, queuedId: ids[2] })).toMatchObject({
			status: 404,
			error: { code: "QUEUED_NOT_FOUND" },
		});
	});
});
