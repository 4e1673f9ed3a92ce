import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SentTurn } from "../../src/core/index.ts";
import { CoreScene } from "../support/core-scene.ts";
import { until } from "../support/until.ts";

/** A thread whose run delivered two files, one of which does not come. */
async function partial(scene: CoreScene): Promise<SentTurn> {
	scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a", "b.txt": "b" });
	scene.bridge.onFile = (bytes, path) => (path === "b.txt" ? 503 : bytes);
	const sent = await scene.send("x");
	expect((await scene.end(sent)).thread).toMatchObject({ lastArtifactSyncStatus: "partial", lastTaskArtifactRelativePaths: ["a.txt"] });
	return sent;
}

const threadOf = async (scene: CoreScene, { threadId }: SentTurn) => (await scene.core.showThread(threadId)).thread;
const syncStatus = async (scene: CoreScene, sent: SentTurn) => (await threadOf(scene, sent)).lastArtifactSyncStatus;

it("what did not all come is fetched again when the app starts", async () => {
	await using scene = await CoreScene.open();
	const sent = await partial(scene);
	await scene.restart(() => {
		scene.bridge.onFile = (bytes) => bytes;
	});
	await until("it is synced", async () => (await syncStatus(scene, sent)) === "synced");
	const thread = await threadOf(scene, sent);
	expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "success", lastTaskArtifactRelativePaths: ["a.txt", "b.txt"] });
	expect(thread.lastResultDetail).toBeUndefined();
	expect(thread.turns[0]?.resultDetail).toBeUndefined();
	const { folder } = await scene.core.showThread(sent.threadId);
	expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("b");
});

it("and when the bridge is reached again, a bounded number of times", async () => {
	await using scene = await CoreScene.open({ sync: { attempts: 1 } });
	const sent = await partial(scene);
	const tries = () => scene.bridge.downloads.filter((path) => path.endsWith("b.txt")).length;
	const first = tries();
	for (let round = 1; round <= 5; round++) {
		await until("it was tried again", async () => {
			await scene.core.capabilities();
			return tries() >= first + round;
		});
	}
	for (let round = 0; round < 3; round++) await scene.core.capabilities();
	scene.bridge.onRun = (run) => void run.end("completed", { "c.txt": "c" });
	await scene.end(await scene.send("something else"));
	expect(tries()).toBe(first + 5);
	expect(await threadOf(scene, sent)).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "partial" });
});

it("when a bridge that was away answers again", async () => {
	await using scene = await CoreScene.open();
	const sent = await partial(scene);
	await scene.bridge.down();
	await expect(scene.core.capabilities()).rejects.toMatchObject({ code: "ACP_HTTP_CONNECT_FAILED" });
	scene.bridge.onFile = (bytes) => bytes;
	await scene.bridge.listen();
	await scene.core.capabilities();
	await until("it is synced", async () => (await syncStatus(scene, sent)) === "synced");
});

it("a person's message goes first: what is being fetched is left", async () => {
	await using scene = await CoreScene.open({ client: { idleMs: 30_000 } });
	const sent = await partial(scene);
	const reached = Promise.withResolvers<void>();
	await scene.restart(() => {
		scene.bridge.onFile = () => {
			reached.resolve();
			return "hang";
		};
	});
	await reached.promise;
	expect(await threadOf(scene, sent)).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "partial" });
	scene.bridge.onFile = (bytes) => bytes;
	scene.bridge.onRun = (run) => void run.end("completed", { "c.txt": "c" });
	const next = await scene.send("and now this", sent.threadId);
	await until("nobody waits for the old files", () => scene.bridge.hanging === 0, 2_000);
	const { thread } = await scene.end(next);
	expect(thread).toMatchObject({ lastArtifactSyncStatus: "synced", lastTaskArtifactRelativePaths: ["c.txt"] });
	expect(thread.turns[0]).toMatchObject({ syncStatus: "partial", syncedPaths: ["a.txt"] });
	expect(scene.faults).toEqual([]);
});
