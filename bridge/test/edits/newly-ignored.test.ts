import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { contents, type EditScene, editScene, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const listed = async (scene: EditScene) => (await scene.list()).files.map(({ path, outside }) => [path, outside]);
const discard = async (scene: EditScene, ...paths: readonly string[]) =>
	await scene.methods.discard({ threadId, seen: (await scene.list()).seen, paths: [...paths] });

/** A run that wrote files and made git ignore them, and has ended. */
async function ended() {
	const scene = await editScene({ files: { "a.txt": "a\n", ".gitignore": "*.log\n" } });
	await scene.runInFolder();
	write(scene.project, { ".gitignore": "*.log\n*.tmp\ncache/\n", "secret.tmp": "s\n", "cache/h": "h\n", "old.log": "l\n" });
	// Names that git could take for a pattern.
	write(scene.project, { ":(glob)x.tmp": "x\n", "*.tmp": "y\n" });
	await scene.endRun();
	return scene;
}

describe("files that a run wrote and made git ignore", () => {
	it("are listed as the run's once the .gitignore is restored, and can be discarded", async () => {
		await using scene = await ended();
		expect(await listed(scene)).toEqual([[".gitignore", undefined]]);
		await discard(scene, ".gitignore");
		expect(await listed(scene)).toEqual([
			["*.tmp", undefined],
			[":(glob)x.tmp", undefined],
			["cache/h", undefined],
			["secret.tmp", undefined],
		]);
		await discard(scene, "*.tmp", ":(glob)x.tmp", "cache/h", "secret.tmp");
		expect(contents(scene.project)).toEqual({ "a.txt": "a\n", ".gitignore": "*.log\n", "old.log": "l\n" });
	});

	it("are still the run's after another run that left them alone", async () => {
		await using scene = await ended();
		await scene.runInFolder();
		write(scene.project, { "a.txt": "A\n" });
		await scene.endRun();
		await discard(scene, ".gitignore");
		expect(await listed(scene)).toEqual([
			["*.tmp", undefined],
			[":(glob)x.tmp", undefined],
			["a.txt", undefined],
			["cache/h", undefined],
			["secret.tmp", undefined],
		]);
	});

	it("are marked if they were changed after the run while they were ignored, also before another run", async () => {
		await using scene = await ended();
		write(scene.project, { "secret.tmp": "by the user\n" });
		await scene.runInFolder();
		await scene.endRun();
		write(scene.project, { "cache/h": "by the user\n" });
		await discard(scene, ".gitignore");
		expect(await listed(scene)).toEqual([
			["*.tmp", undefined],
			[":(glob)x.tmp", undefined],
			["cache/h", "changed"],
			["secret.tmp", "changed"],
		]);
	});
});

it("of more files than are read, it isn't known who wrote them", async () => {
	await using scene = await editScene();
	await scene.runInFolder();
	write(scene.project, Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`packages/${index}`, ""])));
	write(scene.project, { ".gitignore": "packages/\n" });
	await scene.endRun();
	await discard(scene, ".gitignore");
	expect(new Set((await listed(scene)).map(([, outside]) => outside))).toEqual(new Set(["unknown"]));
	await scene.runInFolder();
	await scene.endRun();
	expect((await listed(scene))[0]).toEqual(["packages/0", "unknown"]);
});

it("a file that was ignored before the thread began isn't said to be changed outside of its runs when the user lists it again", async () => {
	await using scene = await editScene({ files: { "a.txt": "a\n", ".gitignore": "*.log\n" } });
	write(scene.project, { "old.log": "l\n" });
	await scene.runInFolder();
	await scene.endRun();
	write(scene.project, { ".gitignore": "", "own.txt": "o\n" });
	expect(await listed(scene)).toEqual([
		[".gitignore", "changed"],
		["old.log", "unknown"],
		["own.txt", "changed"],
	]);
	await expect(discard(scene, "old.log")).rejects.toMatchObject({ code: "EDITS_CONFLICT", detail: expect.stringContaining("old.log") });
	expect(contents(scene.project)["old.log"]).toBe("l\n");
});

describe("files of unknown origin", () => {
	it("keep no other file from being discarded after the next run has begun, and a file that was never ignored isn't one of them", async () => {
		await using scene = await editScene({ files: { "a.txt": "a\n" } });
		await scene.runInFolder();
		write(scene.project, Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`packages/${index}`, ""])));
		write(scene.project, { "a.txt": "by the run\n", ".gitignore": "packages/\n" });
		await scene.endRun();
		write(scene.project, { "notes.md": "by the user\n" });
		const names = [
			[".gitignore", undefined],
			["a.txt", undefined],
			["notes.md", "changed"],
		];
		expect(await listed(scene)).toEqual(names);
		await scene.runInFolder();
		await scene.endRun();
		expect(await listed(scene)).toEqual(names);
		expect(await discard(scene, "a.txt")).toEqual({ discarded: ["a.txt"] });
	});

	it("are remembered by name: another run leaves them unknown, and nothing else", async () => {
		await using scene = await editScene({ files: { "a.txt": "a\n", ".gitignore": "*.log\n" } });
		write(scene.project, { "old.log": "l\n", "older.log": "l\n" });
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the run\n" });
		await scene.endRun();
		write(scene.project, { ".gitignore": "" });
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the second run\n", "old.log": "by the second run\n" });
		await scene.endRun();
		expect(await listed(scene)).toEqual([
			[".gitignore", "changed"],
			["a.txt", undefined],
			["old.log", "unknown"],
			["older.log", "unknown"],
		]);
		// The user changes one of them, which is known then.
		write(scene.project, { "older.log": "by the user\n" });
		await scene.runInFolder();
		await scene.endRun();
		expect(await listed(scene)).toContainEqual(["older.log", "changed"]);
		await expect(discard(scene, "old.log")).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
		expect(await discard(scene, "a.txt")).toEqual({ discarded: ["a.txt"] });
	});

	it("are no longer unknown once they are applied: what a later run changes in them is the run's", async () => {
		await using scene = await editScene({ files: { ".gitignore": "*.log\n" } });
		const { directory } = await scene.runInWorktree();
		await scene.endRun();
		write(directory, { "old.log": "l\n" });
		await scene.runInWorktree();
		await scene.endRun();
		write(directory, { ".gitignore": "" });
		await scene.runInWorktree();
		await scene.endRun();
		expect(await listed(scene)).toContainEqual(["old.log", "unknown"]);
		await scene.methods.apply({ threadId, seen: (await scene.list()).seen });
		await scene.runInWorktree();
		write(directory, { "old.log": "by the run\n" });
		await scene.endRun();
		expect(await listed(scene)).toEqual([["old.log", undefined]]);
		await discard(scene, "old.log");
		expect(contents(directory)["old.log"]).toBe("l\n");
	});

	it("include those in a folder whose .gitignore ignored itself", async () => {
		await using scene = await editScene({ files: { "a.txt": "a\n" } });
		await scene.runInFolder();
		write(scene.project, Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`packages/${index}`, ""])));
		write(scene.project, { ".gitignore": "packages/\n", ".venv/.gitignore": "*\n", ".venv/x": "x\n" });
		await scene.endRun();
		rmSync(join(scene.project, ".venv", ".gitignore"));
		const names = [
			[".gitignore", undefined],
			[".venv/x", "unknown"],
		];
		expect(await listed(scene)).toEqual(names);
		await scene.runInFolder();
		await scene.endRun();
		expect(await listed(scene)).toEqual(names);
	});
});

it("a failure to read newly ignored files loses neither a run's list of changes nor the next run's", async () => {
	// git lists these names in fewer bytes than the check of the rules that ignored them before needs.
	const logs = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`${index + 100}.log`, ""]));
	await using scene = await editScene({ files: { "a.txt": "a\n", ".gitignore": "*.log\n" }, bounds: { outputBytes: 3_600 } });
	write(scene.project, logs);
	await scene.runInFolder();
	write(scene.project, { "a.txt": "by the run\n", ".gitignore": "*.log\n*.tmp\n" });
	expect(await scene.endRun()).toMatchObject({ files: [{ path: ".gitignore" }, { path: "a.txt" }], total: 2 });
	expect(await listed(scene)).toEqual([
		[".gitignore", undefined],
		["a.txt", undefined],
	]);
	expect((await scene.runInFolder()).notice).toBeUndefined();
	await scene.endRun();
	expect(await discard(scene, "a.txt")).toEqual({ discarded: ["a.txt"] });
});
