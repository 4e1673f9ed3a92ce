import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SentTurn } from "../../src/api/app-api.ts";
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

const threadOf = async (scene: CoreScene, { threadId }: SentTurn) => (await scene.api.showThread({ threadId })).thread;
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
	const { folder } = await scene.api.showThread({ threadId: sent.threadId });
	expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("b");
});

it("and when the bridge is reached again, a bounded number of times", async () => {
	await using scene = await CoreScene.open({ sync: { attempts: 1 } });
	const sent = await partial(scene);
	const tries = () => scene.bridge.downloads.filter((path) => path.endsWith("b.txt")).length;
	const first = tries();
	for (let round = 1; round <= 5; round++) {
		await until("it was tried again", async () => {
			await scene.api.capabilities();
			return tries() >= first + round;
		});
	}
	for (let round = 0; round < 3; round++) await scene.api.capabilities();
	scene.bridge.onRun = (run) => void run.end("completed", { "c.txt": "c" });
	await scene.end(await scene.send("something else"));
	expect(tries()).toBe(first + 5);
	expect(await threadOf(scene, sent)).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "partial" });
});

it("a file that the user puts back is no longer called missing, and another one in its place still is", async () => {
	await using scene = await CoreScene.open();
	const sent = await partial(scene);
	const { folder } = await scene.api.showThread({ threadId: sent.threadId });
	writeFileSync(join(folder, "b.txt"), "B");
	const { runs } = await scene.api.listFiles({ threadId: sent.threadId });
	expect(runs[0]?.files.map(({ state }) => state)).toEqual(["checked", "replaced"]);
	await scene.api.showThread({ threadId: sent.threadId });
	// The folder is looked through for the thread that is shown first, and for these afterwards.
	for (let n = 0; n < 3; n++) await scene.api.listFiles({ threadId: sent.threadId });
	expect(await syncStatus(scene, sent)).toBe("partial");
	writeFileSync(join(folder, "b.txt"), "b");
	await until("it is noticed", async () => (await syncStatus(scene, sent)) === "synced");
	const thread = await threadOf(scene, sent);
	expect(thread).toMatchObject({ lifecycleStatus: "ready", lastTaskArtifactRelativePaths: ["a.txt", "b.txt"] });
	expect(thread.turns[0]?.resultDetail).toBeUndefined();
	expect(scene.faults).toEqual([]);
});

it("when a bridge that was away answers again", async () => {
	await using scene = await CoreScene.open();
	const sent = await partial(scene);
	await scene.bridge.down();
	await expect(scene.api.capabilities()).rejects.toMatchObject({ code: "ACP_HTTP_CONNECT_FAILED" });
	scene.bridge.onFile = (bytes) => bytes;
	await scene.bridge.listen();
	await scene.api.capabilities();
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

describe("a file of the last run that the user edited", () => {
	/** A thread whose run saved a.txt, which was edited then, and b.txt, which is missing or was never saved. */
	async function edited(scene: CoreScene, isSaved: boolean) {
		const sent = await partial(scene);
		const { folder } = await scene.api.showThread({ threadId: sent.threadId });
		const at = (path: string) => join(folder, path);
		const read = (...paths: readonly string[]) => paths.map((path) => readFileSync(at(path), "utf8"));
		if (isSaved) {
			scene.bridge.onFile = (bytes) => bytes;
			await scene.api.sync({ threadId: sent.threadId });
			rmSync(at("b.txt"));
		}
		writeFileSync(at("a.txt"), "my own a");
		return { sent, at, read };
	}

	/** A thread whose run saved this many files, each with its name as its text. */
	async function saved(scene: CoreScene, count: number) {
		const paths = Array.from({ length: count }, (_, n) => `${n}.txt`);
		scene.bridge.onRun = (run) => void run.end("completed", Object.fromEntries(paths.map((path) => [path, path])));
		const sent = await scene.send("x");
		await scene.end(sent);
		const { folder } = await scene.api.showThread({ threadId: sent.threadId });
		return { sent, paths, folder };
	}

	it("stays when the page downloads what is missing, and only the command replaces it", async () => {
		await using scene = await CoreScene.open();
		const { sent, at, read } = await edited(scene, true);
		const done = { lastArtifactSyncStatus: "synced", lastTaskArtifactRelativePaths: ["a.txt", "b.txt"], restored: ["b.txt"] };
		const synced = await scene.api.sync({ threadId: sent.threadId, leaveEdits: true });
		expect(synced).toMatchObject(done);
		expect([read("a.txt", "b.txt"), synced.setAside, existsSync(at(".versions"))]).toEqual([["my own a", "b"], undefined, false]);
		const replaced = await scene.api.sync({ threadId: sent.threadId });
		expect([read("a.txt", "b.txt"), replaced.setAside?.map(({ relativePath }) => relativePath)]).toEqual([["a", "b"], ["a.txt"]]);
	});

	it.each([2, 201])("stays when it was saved again after a download that could not fetch it, of a run with %d files", async (count) => {
		await using scene = await CoreScene.open({ sync: { attempts: 1 } });
		const { sent, paths, folder } = await saved(scene, count);
		for (const path of ["0.txt", "1.txt"]) rmSync(join(folder, path));
		await scene.bridge.down();
		const failed = await scene.api.sync({ threadId: sent.threadId, leaveEdits: true });
		const message = expect.stringContaining(`2 of ${count} files were not saved in the folder`);
		const what = { lastArtifactSyncStatus: "partial", restored: [], gone: ["0.txt", "1.txt"], lastResultDetail: { message } };
		expect(failed).toMatchObject({ ...what, lastTaskArtifactRelativePaths: paths });
		expect(failed.unchanged).toHaveLength(count - 2);
		writeFileSync(join(folder, "0.txt"), "my own");
		await scene.bridge.listen();
		await scene.api.capabilities();
		await until("it is synced", async () => (await syncStatus(scene, sent)) === "synced");
		expect(["0.txt", "1.txt"].map((path) => readFileSync(join(folder, path), "utf8"))).toEqual(["my own", "1.txt"]);
		expect(existsSync(join(folder, ".versions"))).toBe(false);
	});

	it.each([2, 201])("is not called restored by a command that could not reach the bridge, of a run with %d files", async (count) => {
		await using scene = await CoreScene.open({ sync: { attempts: 1 } });
		const { sent, folder } = await saved(scene, count);
		writeFileSync(join(folder, "0.txt"), "my own");
		await scene.bridge.down();
		const failed = await scene.api.sync({ threadId: sent.threadId });
		expect(failed).toMatchObject({ lastArtifactSyncStatus: "partial", restored: [] });
		expect(readFileSync(join(folder, "0.txt"), "utf8")).toBe("my own");
	});

	it("stays when the app fetches by itself what was never saved, which replaces another file of its name", async () => {
		await using scene = await CoreScene.open();
		const { sent, at, read } = await edited(scene, false);
		writeFileSync(at("b.txt"), "another b");
		await scene.restart(() => {
			scene.bridge.onFile = (bytes) => bytes;
		});
		await until("it is synced", async () => (await syncStatus(scene, sent)) === "synced");
		expect(read("a.txt", "b.txt")).toEqual(["my own a", "b"]);
		expect((await threadOf(scene, sent)).lastTaskArtifactRelativePaths).toEqual(["a.txt", "b.txt"]);
		const { runs } = await scene.api.listFiles({ threadId: sent.threadId });
		expect(runs[0]?.setAside?.map(({ relativePath }) => relativePath)).toEqual(["b.txt"]);
	});
});

describe("files of earlier runs", () => {
	/** A thread whose runs delivered these files, one run after the other, and its folder. */
	async function delivered(scene: CoreScene, ...runs: readonly Readonly<Record<string, string>>[]) {
		let sent: SentTurn | undefined;
		for (const files of runs) {
			scene.bridge.onRun = (run) => void run.text("here").end("completed", files);
			sent = await scene.send("make files", sent?.threadId);
			await scene.end(sent);
		}
		if (sent === undefined) throw new Error("no run was asked for");
		const { threadId } = sent;
		const { folder } = await scene.api.showThread({ threadId });
		const at = (path: string) => join(folder, path);
		return { threadId, at, read: (path: string) => readFileSync(at(path), "utf8") };
	}

	it("come back when they are missing, each as the newest run delivered it, after a message without files", async () => {
		await using scene = await CoreScene.open();
		const { threadId, at, read } = await delivered(
			scene,
			{ "a.md": "first a", "b.md": "first b", "c.md": "c" },
			{ "b.md": "second b" },
			{},
		);
		for (const path of ["a.md", "b.md"]) rmSync(at(path));
		writeFileSync(at("c.md"), "my own c");
		const thread = await scene.api.sync({ threadId });
		expect([read("a.md"), read("b.md"), read("c.md")]).toEqual(["first a", "second b", "my own c"]);
		expect(thread.broughtBack?.paths.toSorted()).toEqual(["a.md", "b.md"]);
		expect(thread.broughtBack?.lacking).toEqual([]);
		// What the thread says about its last run stays so.
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "no-artifacts", lastTaskArtifactRelativePaths: [] });
		expect((await scene.api.sync({ threadId })).broughtBack).toEqual({ paths: [], lacking: [] });
		expect(scene.faults).toEqual([]);
	});

	it("come back beside the files of the last run", async () => {
		await using scene = await CoreScene.open();
		const { threadId, at, read } = await delivered(scene, { "a.md": "a" }, { "b.md": "b" });
		for (const path of ["a.md", "b.md"]) rmSync(at(path));
		const thread = await scene.api.sync({ threadId });
		expect([read("a.md"), read("b.md")]).toEqual(["a", "b"]);
		expect(thread).toMatchObject({ lastArtifactSyncStatus: "synced", lastTaskArtifactRelativePaths: ["b.md"] });
		expect(thread.broughtBack).toEqual({ paths: ["a.md"], lacking: [] });
	});

	it("that the bridge does not give are named with the reason", async () => {
		await using scene = await CoreScene.open();
		const { threadId, at } = await delivered(scene, { "a.md": "a" }, {});
		rmSync(at("a.md"));
		scene.bridge.onFile = () => 410;
		const { broughtBack } = await scene.api.sync({ threadId });
		expect(broughtBack?.paths).toEqual([]);
		expect(broughtBack?.lacking).toMatchObject([{ path: "a.md", message: expect.stringMatching(/./) }]);
	});

	it("do not push aside what took their place", async () => {
		await using scene = await CoreScene.open();
		const { threadId, at, read } = await delivered(scene, { "out/a.md": "a" }, {});
		rmSync(at("out"), { recursive: true });
		writeFileSync(at("out"), "my own file");
		const lacking = [{ path: "out/a.md", message: "something else is in its place" }];
		expect((await scene.api.sync({ threadId })).broughtBack).toEqual({ paths: [], lacking });
		expect([read("out"), existsSync(at(".versions"))]).toEqual(["my own file", false]);
	});

	it("that a later run replaces are not lacking, although they could not be downloaded again before", async () => {
		await using scene = await CoreScene.open();
		const { threadId, at } = await delivered(scene, { "a.md": "a", "b.md": "b" });
		for (const path of ["a.md", "b.md"]) rmSync(at(path));
		mkdirSync(at("a.md"));
		expect((await scene.api.sync({ threadId })).turns[0]).toMatchObject({ syncStatus: "partial", resultDetail: { code: "PATH_BLOCKED" } });
		rmdirSync(at("a.md"));
		scene.bridge.onRun = (run) => void run.text("here").end("completed", { "a.md": "second a" });
		await scene.end(await scene.send("again", threadId));
		// Showing the thread would be a reason to look at its folder.
		const first = async () => (await scene.api.knownRuns({ threadId, limit: 2 })).runs[1];
		await until("nothing of the first run is left to save", async () => (await first())?.syncStatus === "synced");
		const { thread } = await scene.api.showThread({ threadId });
		expect(thread).toMatchObject({ lastTaskArtifactRelativePaths: ["a.md"], turns: [{ syncedPaths: ["a.md", "b.md"] }, {}] });
		expect(thread.turns[0]).not.toHaveProperty("resultDetail");
	});

	it("are not lacking once they have been downloaded, and stay lacking if a later run's file came before them", async () => {
		await using scene = await CoreScene.open();
		const { threadId } = await partial(scene);
		scene.bridge.onRun = (run) => void run.end("completed", { "c.txt": "c" });
		await scene.end(await scene.send("something else", threadId));
		scene.bridge.onFile = (bytes) => bytes;
		expect((await scene.api.sync({ threadId })).turns[0]).toMatchObject({ syncStatus: "synced", syncedPaths: ["a.txt", "b.txt"] });
		const other = await partial(scene);
		scene.bridge.onFile = (bytes) => bytes;
		scene.bridge.onRun = (run) => void run.end("completed", { "b.txt": "another b" });
		await scene.end(await scene.send("again", other.threadId));
		const { turns } = await scene.api.sync({ threadId: other.threadId });
		expect(turns[0]).toMatchObject({ syncStatus: "partial", syncedPaths: ["a.txt"] });
		expect(scene.faults).toEqual([]);
	});

	it("that cannot be looked for are no files that are there: the fault is told", async () => {
		await using scene = await CoreScene.open();
		const { threadId, at } = await delivered(scene, { "a.md": "a" }, {});
		rmSync(at("."), { recursive: true });
		writeFileSync(at("."), "a file where the folder was");
		await expect(scene.api.sync({ threadId })).rejects.toThrow();
	});

	it("are no reason to sync a thread in which no run succeeded", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("cancelled", { "half.md": "half" });
		const sent = await scene.send("x");
		await scene.end(sent);
		await expect(scene.api.sync({ threadId: sent.threadId })).rejects.toMatchObject({ code: "NOTHING_TO_SYNC" });
	});
});
