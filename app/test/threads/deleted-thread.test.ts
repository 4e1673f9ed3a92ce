import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ThreadId } from "@xworkmate/contracts";
import { WHOLE_CHECK_BYTES } from "@xworkmate/platform/sqlite";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { toFailure } from "../../src/errors/failure.ts";
import { threadFolder } from "../../src/workspace/index.ts";
import { runAgainst } from "../support/command-scene.ts";
import { CoreScene } from "../support/core-scene.ts";

it("[D17] sending to a thread that was deleted meanwhile says so and brings nothing to life, also after a restart", async () => {
	await using scene = await CoreScene.open();
	const sent = await scene.send("one");
	await scene.end(sent);
	await scene.api.deleteThread({ threadId: sent.threadId });
	const gone = expect.objectContaining({ code: "THREAD_NOT_FOUND", message: "There is no thread with this id. It may have been deleted." });
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
	const none = expect.objectContaining({ code: "THREAD_NOT_FOUND", message: "There is no thread with this id. It may have been deleted." });
	await expect(scene.api.sync({ threadId })).rejects.toThrow(none);
	await expect(scene.api.showThread({ threadId })).rejects.toThrow(none);
	await expect(scene.api.restoreThread({ threadId })).rejects.toThrow(none);
	await expect(scene.api.deleteThread({ threadId })).rejects.toThrow(none);
});

/** Makes the app's database too large to be checked when it is opened, and destroys the part that only a deletion reads. */
function damage(home: string): void {
	const path = join(home, "app", "app.sqlite");
	const db = new Database(path);
	db.exec("CREATE TABLE large (bytes BLOB NOT NULL)");
	db.prepare("INSERT INTO large VALUES (zeroblob(?))").run(WHOLE_CHECK_BYTES);
	const page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'attachments_by_turn'").pluck().get());
	const size = Number(db.pragma("page_size", { simple: true }));
	db.pragma("wal_checkpoint(TRUNCATE)");
	db.close();
	const file = openSync(path, "r+");
	writeSync(file, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
	closeSync(file);
}

it("deletes nothing of a thread whose record can't be deleted because the database is damaged, and says so", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a" });
	const { threadId, turnId } = await scene.send("x");
	await scene.end({ threadId, turnId });
	await scene.restart(() => damage(scene.home));
	const error: unknown = await scene.api.deleteThread({ threadId }).catch((thrown: unknown) => thrown);
	expect(toFailure(error)).toMatchObject({ code: "APP_DATABASE_DAMAGED", fix: expect.stringContaining("restore the file from a backup") });
	expect(scene.bridge.calls.filter(({ method }) => method === "xworkmate.threads.delete")).toEqual([]);
	expect(existsSync(join(threadFolder(scene.home, threadId), "a.txt"))).toBe(true);
	expect((await scene.api.showThread({ threadId })).thread.turns).toHaveLength(1);
});

it("counts the runs at the bridge that is asked, and says how many are at another one and stay", async () => {
	await using scene = await CoreScene.open();
	const sent = await scene.send("one");
	await scene.end(sent);
	const { threadId } = sent;
	expect(await scene.api.threadDeletion({ threadId })).toMatchObject({ runs: 1, atBridge: [] });
	expect(await scene.api.threadDeletion({ threadId })).not.toHaveProperty("elsewhere");
	const { url } = scene.bridge;
	await scene.restart(() => {
		scene.bridgeUrl = url;
	});
	await scene.end(await scene.send("two", threadId));
	expect(await scene.api.threadDeletion({ threadId })).toMatchObject({ runs: 1, elsewhere: { runs: 1, addresses: [], own: true } });
	await scene.restart(() => {
		scene.bridgeUrl = undefined;
	});
	expect(await scene.api.threadDeletion({ threadId })).toMatchObject({ runs: 1, elsewhere: { runs: 1, addresses: [url] } });
	const { lines } = await runAgainst(scene.api, ["threads", "delete", threadId], { answer: "n" });
	expect(lines).toContain(`1 run of this thread will stay on another bridge (${url}).`);
});

it("says that a gateway keeps its own conversation and files, and only of a thread that had a run there", async () => {
	await using scene = await CoreScene.open();
	const sent = await scene.sendToGateway("one");
	await scene.end(sent);
	expect(await scene.api.threadDeletion({ threadId: sent.threadId })).toMatchObject({ onGateway: true });
	const { lines } = await runAgainst(scene.api, ["threads", "delete", sent.threadId], { answer: "n" });
	expect(lines).toContain("What OpenClaw keeps of the conversation and of the runs’ files isn’t deleted.");
	const ofAgent = await scene.send("two");
	await scene.end(ofAgent);
	expect(await scene.api.threadDeletion({ threadId: ofAgent.threadId })).not.toHaveProperty("onGateway");
});
