import { existsSync } from "node:fs";
import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { threadFolder } from "../../src/workspace/index.ts";
import { CoreScene } from "../support/core-scene.ts";

it("[D17] sending to a thread that was deleted meanwhile says so and brings nothing to life, also after a restart", async () => {
	await using scene = await CoreScene.open();
	const sent = await scene.send("one");
	await scene.end(sent);
	await scene.api.deleteThread({ threadId: sent.threadId });
	const gone = expect.objectContaining({ code: "THREAD_NOT_FOUND", message: "There is no thread with this ID. It may have been deleted." });
	await expect(scene.send("two", sent.threadId)).rejects.toThrow(gone);
	await scene.restart();
	await expect(scene.send("three", sent.threadId)).rejects.toThrow(gone);
	expect(await scene.api.listThreads({ archived: false })).toEqual([]);
	expect(existsSync(threadFolder(scene.home, sent.threadId))).toBe(false);
	expect(scene.submitted).toEqual(["one"]);
});

it("never says of an id that no thread had that its thread is gone", async () => {
	await using scene = await CoreScene.open();
	const threadId = ThreadId.parse("draft:nope");
	const none = expect.objectContaining({ code: "THREAD_NOT_FOUND", message: "There is no thread with this ID. It may have been deleted." });
	await expect(scene.api.sync({ threadId })).rejects.toThrow(none);
	await expect(scene.api.showThread({ threadId })).rejects.toThrow(none);
	await expect(scene.api.restoreThread({ threadId })).rejects.toThrow(none);
	await expect(scene.api.deleteThread({ threadId })).rejects.toThrow(none);
});
