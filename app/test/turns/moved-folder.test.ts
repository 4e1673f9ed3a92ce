import { lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CoreScene, held } from "../support/core-scene.ts";

/** A thread with a saved file. During its next run, its folder is moved away, and something else is put in its place. */
async function moved(scene: CoreScene, put: (folder: string, elsewhere: string) => void) {
	scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a" });
	const first = await scene.send("x");
	await scene.end(first);
	const { threadId } = first;
	const { folder } = await scene.api.showThread({ threadId });
	const elsewhere = join(scene.home, "elsewhere");
	const run = held(scene.bridge);
	const sent = await scene.send("y", threadId);
	while (scene.bridge.countOf("session.message") === 0) await new Promise(setImmediate);
	renameSync(folder, elsewhere);
	put(folder, elsewhere);
	void run().end("completed", { "d.txt": "d" });
	const { thread, turn } = await scene.end(sent);
	return { threadId, folder, elsewhere, thread, turn };
}

const link = (folder: string, elsewhere: string) => symlinkSync(elsewhere, folder);

it("a run whose thread's folder has become a link has ended: its files were not saved, for that reason, and its link is not followed", async () => {
	await using scene = await CoreScene.open();
	const { folder, elsewhere, thread, turn } = await moved(scene, link);
	expect(turn).toMatchObject({ status: "completed", resultCode: "success", syncStatus: "partial" });
	expect(thread).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "partial", lastTaskArtifactRelativePaths: [] });
	expect(turn.resultDetail).toEqual({
		code: "PATH_BLOCKED",
		message: `1 of 1 file was not saved in the folder: ${folder} was a symbolic link, not a folder.`,
		fix: "If it still is, move it elsewhere. Then put the thread's folder back, or let XWorkmate create a new one. Finally, download the files again.",
	});
	expect(() => lstatSync(join(elsewhere, "d.txt"))).toThrow("ENOENT");
	expect(scene.faults).toEqual([]);
});

it("a file in the place of the thread's folder is named too, and the files are saved once it is put right", async () => {
	await using scene = await CoreScene.open();
	const { threadId, folder, elsewhere, turn } = await moved(scene, (path) => writeFileSync(path, ""));
	expect(turn.resultDetail?.message).toBe(`1 of 1 file was not saved in the folder: ${folder} was a file, not a folder.`);
	await expect(scene.api.sync({ threadId })).rejects.toMatchObject({
		code: "WORKSPACE_REFUSED",
		message: `${folder} is a file, not a folder.`,
	});
	unlinkSync(folder);
	renameSync(elsewhere, folder);
	const synced = await scene.api.sync({ threadId });
	expect(synced).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "synced", lastTaskArtifactRelativePaths: ["d.txt"] });
	expect(synced.lastResultDetail).toBeUndefined();
	expect(readFileSync(join(folder, "d.txt"), "utf8")).toBe("d");
	expect(scene.faults).toEqual([]);
});

it("files behind a link in the place of the thread's folder are not in the folder, whatever they are", async () => {
	await using scene = await CoreScene.open();
	const { threadId, elsewhere } = await moved(scene, link);
	mkdirSync(elsewhere, { recursive: true });
	writeFileSync(join(elsewhere, "d.txt"), "d");
	const { runs } = await scene.api.listFiles({ threadId });
	expect(runs.map(({ files }) => files.map(({ relativePath, state, inPlace }) => ({ relativePath, state, inPlace })))).toEqual([
		[{ relativePath: "d.txt", state: "blocked", inPlace: "above" }],
		[{ relativePath: "a.txt", state: "blocked", inPlace: "above" }],
	]);
	await scene.api.showThread({ threadId });
	for (let n = 0; n < 3; n++) await scene.api.listFiles({ threadId });
	expect((await scene.api.showThread({ threadId })).thread.lastArtifactSyncStatus).toBe("partial");
	expect(scene.faults).toEqual([]);
});

it("a file that was saved and edited stays when its folder is put back, though a download found something else in its place", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a" });
	const sent = await scene.send("x");
	await scene.end(sent);
	const { threadId } = sent;
	const { folder } = await scene.api.showThread({ threadId });
	writeFileSync(join(folder, "a.txt"), "my own");
	renameSync(folder, join(scene.home, "elsewhere"));
	writeFileSync(folder, "");
	await expect(scene.api.sync({ threadId, leaveEdits: true })).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
	expect((await scene.api.showThread({ threadId })).thread).toMatchObject({ lastArtifactSyncStatus: "partial" });
	unlinkSync(folder);
	renameSync(join(scene.home, "elsewhere"), folder);
	expect(await scene.api.sync({ threadId, leaveEdits: true })).toMatchObject({ lastArtifactSyncStatus: "synced", unchanged: ["a.txt"] });
	expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("my own");
});
