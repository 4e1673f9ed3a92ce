import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../src/cli/threads/run-command.ts";
import { syncThread } from "../../src/cli/threads/sync-thread.ts";
import { openFolder } from "../../src/cli/threads/thread-commands.ts";
import { CoreScene, held } from "../support/core-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { until } from "../support/until.ts";

const tryAgain = (threadId: string) =>
	`  Try again: npm run -s xworkmate -- sync ${threadId}. If it keeps failing, ask for the files in a new message.`;

it("says which files of earlier runs came back, that none is missing, or which cannot be had and why", async () => {
	await using scene = await CoreScene.open();
	const printed = async () => {
		const console = new RecordingConsole();
		await syncThread({ api: scene.api, console, json: false }, sent.threadId);
		return console.lines;
	};
	scene.bridge.onRun = (run) => void run.text("here").end("completed", { "a.md": "a" });
	const sent = await scene.send("make files");
	await scene.end(sent);
	expect(await printed()).toEqual(["Nothing to restore: no files are missing from the folder."]);
	scene.bridge.onRun = (run) => void run.text("only words").end("completed");
	await scene.end(await scene.send("and?", sent.threadId));
	const none = "The last run delivered no files.";
	expect(await printed()).toEqual([none, "No files of earlier runs are missing from the folder."]);
	const { folder } = await scene.api.showThread({ threadId: sent.threadId });
	rmSync(join(folder, "a.md"));
	expect(await printed()).toEqual([none, "Restored 1 file of earlier runs that was missing from the folder:", "  a.md"]);
	rmSync(join(folder, "a.md"));
	scene.bridge.onFile = () => 410;
	expect(await printed()).toEqual([none, expect.stringMatching(/^Not downloaded: a\.md \((?!a\.md: )[^.]+\)$/), tryAgain(sent.threadId)]);
});

it("says that the last run delivered no files only of one that succeeded", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "a" });
	const { threadId, turnId } = await scene.send("make files");
	await scene.end({ threadId, turnId });
	const after = async (more?: () => Promise<void>) => {
		const sent = await scene.send("more", threadId);
		await more?.();
		await scene.end(sent);
		const console = new RecordingConsole();
		const code = await syncThread({ api: scene.api, console, json: false }, threadId);
		return [code, console.lines[0]];
	};
	for (const status of ["failed", "cancelled"] as const) {
		scene.bridge.onRun = (run) => void run.end(status, { "b.md": "b" });
		expect(await after()).toEqual([0, "No files of the last run were saved, because it didn't succeed."]);
	}
	scene.bridge.onRun = (run) => void run.end("interrupted", {}, "BRIDGE_RESTARTED");
	expect(await after()).toEqual([0, "No files of the last run were saved, because it was interrupted."]);
	held(scene.bridge);
	const lost = async () => {
		await until("the run is known", async () => (await scene.api.showThread({ threadId })).thread.turns.at(-1)?.runId !== undefined);
		await scene.bridge.down();
	};
	expect(await after(lost)).toEqual([1, "XWorkmate can't tell whether the last run delivered files."]);
});

it("says that nothing was to be restored only if nothing was, in no run", async () => {
	await using scene = await CoreScene.open();
	const printed = async () => {
		const console = new RecordingConsole();
		await syncThread({ api: scene.api, console, json: false }, sent.threadId);
		return console.lines;
	};
	scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "a", "b.md": "b" });
	const sent = await scene.send("make files");
	await scene.end(sent);
	scene.bridge.onRun = (run) => void run.end("completed", { "c.md": "c" });
	await scene.end(await scene.send("more", sent.threadId));
	expect(await printed()).toEqual(["Nothing to restore: no files are missing from the folder."]);
	const { folder } = await scene.api.showThread({ threadId: sent.threadId });
	rmSync(join(folder, "a.md"));
	expect(await printed()).toEqual([
		"1 file of the last run was already in the folder.",
		"Restored 1 file of earlier runs that was missing from the folder:",
		"  a.md",
	]);
});

it("offers to fetch the files of a folder that was deleted", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "a" });
	const { threadId, turnId } = await scene.send("make a file");
	await scene.end({ threadId, turnId });
	const { folder } = await scene.api.showThread({ threadId });
	rmSync(folder, { recursive: true });
	const console = new RecordingConsole();
	await openFolder({ api: scene.api, console, json: false }, threadId);
	expect(console.notes).toEqual([
		`The folder was deleted or moved. Download the files that the bridge still has: npm run -s xworkmate -- sync ${threadId}`,
	]);
	expect(await syncThread({ api: scene.api, console, json: false }, threadId)).toBe(0);
	expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("a");
	rmSync(folder, { recursive: true });
	await scene.api.archiveThread({ threadId });
	await openFolder({ api: scene.api, console, json: false }, threadId);
	// The files of an archived thread can't be downloaded.
	const command = "npm run -s xworkmate --";
	expect(console.notes.at(-1)).toContain(`: ${command} threads restore ${threadId} && ${command} sync ${threadId}`);
});

it("leaves a thread where it is in the list when it changes nothing", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "a" });
	const first = await scene.send("first");
	await scene.end(first);
	await scene.end(await scene.send("second"));
	const listed = async () => (await scene.api.listThreads({ archived: false })).map(({ threadId, updatedAt }) => [threadId, updatedAt]);
	const before = await listed();
	await scene.api.sync({ threadId: first.threadId });
	expect(await listed()).toEqual(before);
});

it("says of files of the last run that were gone that they were restored, not that they were saved", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "a", "in/b.md": "b", "c.md": "c" });
	const sent = await scene.send("make files");
	await scene.end(sent);
	const printed = async () => {
		const console = new RecordingConsole();
		await syncThread({ api: scene.api, console, json: false }, sent.threadId);
		return console.lines;
	};
	const { folder } = await scene.api.showThread({ threadId: sent.threadId });
	rmSync(join(folder, "a.md"));
	rmSync(join(folder, "in"), { recursive: true });
	const back = ["Restored 2 files that were missing from the folder:", "  a.md", "  in/b.md"];
	expect(await printed()).toEqual([...back, "1 other file of the last run was already in the folder."]);
	expect(readFileSync(join(folder, "in/b.md"), "utf8")).toBe("b");
	for (const path of ["a.md", "in", "c.md"]) rmSync(join(folder, path), { recursive: true });
	expect(await printed()).toEqual(["Restored 3 files that were missing from the folder:", "  a.md", "  in/b.md", "  c.md"]);
	expect(await printed()).toEqual(["Nothing to restore: no files are missing from the folder."]);
	for (const path of ["a.md", "c.md"]) rmSync(join(folder, path));
	scene.bridge.onFile = (bytes, path) => (path === "c.md" ? 410 : bytes);
	expect(await printed()).toEqual([
		"Restored 1 file that was missing from the folder:",
		"  a.md",
		"1 other file of the last run was already in the folder.",
		expect.stringMatching(/^1 of 3 files was not saved in the folder: .* \(c\.md\)\.$/),
		"  The app tries again when it starts, and a few times when it reconnects to the bridge.",
		tryAgain(sent.threadId),
	]);
});

it("ends with 8 when a file that a run delivered is not in the folder, and with 0 when all are", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "a", "b.md": "b" });
	const sent = await scene.send("make files");
	await scene.end(sent);
	const code = () => syncThread({ api: scene.api, console: new RecordingConsole(), json: true }, sent.threadId);
	const { folder } = await scene.api.showThread({ threadId: sent.threadId });
	expect(await code()).toBe(0);
	const served = scene.bridge.onFile;
	const lose = (path: string) => {
		rmSync(join(folder, path));
		scene.bridge.onFile = (bytes, asked) => (asked === path ? 410 : bytes);
	};
	lose("b.md");
	expect(await code()).toBe(8);
	const said = (await scene.api.showThread({ threadId: sent.threadId })).thread.turns[0]?.resultDetail?.message;
	expect(said).toMatch(/^1 of 2 files was not saved in the folder: [^.]* \(b\.md\)\.$/);
	scene.bridge.onFile = served;
	expect(await code()).toBe(0);
	scene.bridge.onRun = (run) => void run.text("only words").end("completed");
	await scene.end(await scene.send("and?", sent.threadId));
	expect(await code()).toBe(0);
	lose("a.md");
	expect(await code()).toBe(8);
});

it("says where each edited version was kept that its files replaced, as a run does at its end", async () => {
	await using scene = await CoreScene.open();
	const digits = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);
	scene.bridge.onRun = (run) => void run.end("completed", { "in/a.md": "one", "b.md": "same" });
	const { threadId, turnId } = await scene.send("make files");
	await scene.end({ threadId, turnId });
	const { folder } = await scene.api.showThread({ threadId });
	const edit = (text: string) => writeFileSync(join(folder, "in/a.md"), text);
	const kept = (run: string, text: string) => join(folder, ".versions", run, `in/a.md~${digits(text)}`);
	edit("mine");
	const synced = new RecordingConsole();
	await syncThread({ api: scene.api, console: synced, json: false }, threadId);
	expect(synced.lines).toEqual([
		"Saved: 1 file",
		"  in/a.md",
		"1 other file of the last run was already in the folder.",
		`The version of in/a.md that was in the folder was kept as ${kept("run-1", "mine")}`,
	]);
	const later = new RecordingConsole();
	await syncThread({ api: scene.api, console: later, json: false }, threadId);
	expect(later.lines).toEqual(["Nothing to restore: no files are missing from the folder."]);
	edit("mine again");
	scene.bridge.onRun = (run) => void run.end("completed", { "in/a.md": "two" });
	const console = new RecordingConsole();
	const flags = { target: "agent", thread: threadId, require: [], attach: [], approve: "none" } as const;
	await runCommand({ console, onInterrupt: () => () => undefined, withApp: (use) => use(scene.api) }, "more", flags);
	const ran = kept("run-2", "mine again");
	expect(console.notes).toContain(`  The version of in/a.md that was in the folder was kept as ${ran}`);
	expect(console.notes.filter((note) => note.includes("that was in the folder was kept"))).toHaveLength(1);
	expect([readFileSync(kept("run-1", "mine"), "utf8"), readFileSync(ran, "utf8")]).toEqual(["mine", "mine again"]);
});

it("says what to do about a file whose place is taken, and about a thread without files", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "a" });
	const sent = await scene.send("make a file");
	await scene.end(sent);
	const { folder } = await scene.api.showThread({ threadId: sent.threadId });
	rmSync(join(folder, "a.md"));
	mkdirSync(join(folder, "a.md"));
	const console = new RecordingConsole();
	expect(await syncThread({ api: scene.api, console, json: false }, sent.threadId)).toBe(8);
	const fix = `  Move whatever is still in the way, then run: npm run -s xworkmate -- sync ${sent.threadId}`;
	expect(console.lines.slice(-2)).toEqual([fix, tryAgain(sent.threadId)]);
	scene.bridge.onRun = (run) => void run.text("only words").end("completed");
	const words = await scene.send("hello");
	await scene.end(words);
	await expect(syncThread({ api: scene.api, console, json: false }, words.threadId)).rejects.toMatchObject({
		code: "NOTHING_TO_SYNC",
		fix: expect.stringContaining("Ask for the files in a new message."),
	});
});
