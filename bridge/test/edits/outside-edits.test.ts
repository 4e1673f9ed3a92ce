import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { contents, type EditScene, editScene, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const outside = async (scene: EditScene) => (await scene.list()).files.map(({ path, outside: why }) => [path, why]);
const discard = async (scene: EditScene, ...paths: readonly string[]) =>
	await scene.methods.discard({ threadId, seen: (await scene.list()).seen, paths: [...paths] });

/** A run in the user's folder that changed two files and has ended. */
async function ended() {
	const scene = await editScene();
	await scene.runInFolder();
	write(scene.project, { "a.txt": "by the run\n", "b.txt": "by the run\n" });
	await scene.endRun();
	return scene;
}

describe("what the user changes after a run has ended", () => {
	it("is not discarded with what the run changed in the same file, which is named; another file is discarded", async () => {
		await using scene = await ended();
		appendFileSync(join(scene.project, "a.txt"), "typed by the user\n");
		expect(await outside(scene)).toEqual([
			["a.txt", "changed"],
			["b.txt", undefined],
		]);
		const before = contents(scene.project);
		await expect(discard(scene, "a.txt", "b.txt")).rejects.toMatchObject({
			code: "EDITS_CONFLICT",
			detail: expect.stringMatching(/in a\.txt would also lose .* outside of this thread's runs\.$/),
			fix: expect.stringContaining("Undo the runs' changes yourself"),
		});
		expect(contents(scene.project)).toEqual(before);
		expect(await discard(scene, "b.txt")).toEqual({ discarded: ["b.txt"] });
		expect(contents(scene.project)).toMatchObject({ "a.txt": "by the run\ntyped by the user\n", "b.txt": "b\n" });
	});

	it("is not discarded as the change of one run either, nor is a file that only the user made", async () => {
		await using scene = await ended();
		write(scene.project, { "a.txt": "by the user\n", "own.txt": "own\n" });
		const { runs, seen } = await scene.list();
		const runId = runs[0]?.runId;
		expect((await scene.list(runId)).files.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
		const one = scene.methods.discard({ threadId, seen, paths: ["a.txt"], ...(runId !== undefined && { runId }) });
		await expect(one).rejects.toMatchObject({ code: "EDITS_CONFLICT", detail: expect.stringContaining("a.txt") });
		await expect(discard(scene, "own.txt")).rejects.toMatchObject({ code: "EDITS_CONFLICT", detail: expect.stringContaining("own.txt") });
		expect(contents(scene.project)).toMatchObject({ "a.txt": "by the user\n", "own.txt": "own\n" });
	});

	it("is kept where a later run changed the file again; what that run changed can be discarded alone", async () => {
		await using scene = await ended();
		write(scene.project, { "a.txt": "by the user\n" });
		const second = await scene.runInFolder();
		expect(await outside(scene)).toEqual([
			["a.txt", "changed"],
			["b.txt", undefined],
		]);
		write(scene.project, { "a.txt": "by the second run\n" });
		await scene.endRun();
		await expect(discard(scene, "a.txt")).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
		const { seen } = await scene.list(second.runId);
		await scene.methods.discard({ threadId, seen, runId: second.runId });
		expect(contents(scene.project)).toMatchObject({ "a.txt": "by the user\n", "b.txt": "by the run\n" });
		expect(await scene.list(second.runId)).toMatchObject({ total: 0 });
	});

	it("is not taken for what XWorkmate itself wrote: a discarded file can be changed by a run and discarded again", async () => {
		await using scene = await ended();
		await discard(scene, "a.txt");
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the second run\n" });
		await scene.endRun();
		expect(await outside(scene)).toEqual([
			["a.txt", undefined],
			["b.txt", undefined],
		]);
		await discard(scene, "a.txt", "b.txt");
		expect(contents(scene.project)).toMatchObject({ "a.txt": "a\n", "b.txt": "b\n" });
	});

	it("is not taken for it either where the change of one run was discarded, and an earlier run's is left", async () => {
		await using scene = await ended();
		const second = await scene.runInFolder();
		write(scene.project, { "a.txt": "by the second run\n" });
		await scene.endRun();
		await scene.methods.discard({ threadId, seen: (await scene.list()).seen, runId: second.runId });
		expect(await outside(scene)).toEqual([
			["a.txt", undefined],
			["b.txt", undefined],
		]);
		await discard(scene, "a.txt");
		expect(contents(scene.project)).toMatchObject({ "a.txt": "a\n", "b.txt": "by the run\n" });
	});

	it("counts until the change is applied from a worktree", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		write(directory, { "a.txt": "by the run\n" });
		await scene.endRun();
		write(directory, { "a.txt": "by the user\n" });
		await scene.runInWorktree();
		expect(await outside(scene)).toEqual([["a.txt", "changed"]]);
		await scene.endRun();
		await scene.methods.apply({ threadId, seen: (await scene.list()).seen });
		await scene.runInWorktree();
		write(directory, { "a.txt": "by the third run\n" });
		await scene.endRun();
		expect(await outside(scene)).toEqual([["a.txt", undefined]]);
		await discard(scene, "a.txt");
		expect(contents(directory)).toMatchObject({ "a.txt": "by the user\n" });
	});
});

describe("if it isn't known what a run left", () => {
	it("nothing is discarded while its end is not recorded", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the run\n" });
		await expect(discard(scene, "a.txt")).rejects.toMatchObject({
			code: "EDITS_CONFLICT",
			detail: expect.stringContaining("It doesn't know what the run left there"),
		});
		await scene.endRun();
		expect(await discard(scene, "a.txt")).toEqual({ discarded: ["a.txt"] });
	});

	it("the list says so of each file, where an earlier version wrote the record", async () => {
		await using scene = await ended();
		await scene.runInFolder();
		await scene.endRun();
		const [session = ""] = readdirSync(join(scene.bridgeHome, "edits"));
		const path = join(scene.bridgeHome, "edits", session, "state.json");
		const { left: _, working: __, outside: ___, ...state } = JSON.parse(readFileSync(path, "utf8"));
		writeFileSync(path, JSON.stringify(state));
		expect(await outside(scene)).toEqual([
			["a.txt", "unknown"],
			["b.txt", "unknown"],
		]);
		await expect(discard(scene, "a.txt")).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
		await scene.runInFolder();
		await scene.endRun();
		expect(await outside(scene)).toEqual([
			["a.txt", "unknown"],
			["b.txt", "unknown"],
		]);
	});

	it("because its bridge ended, what the user changes before the next one starts is not called the run's, and is not discarded", async () => {
		await using scene = await editScene();
		const { runId } = await scene.runInFolder();
		const run = scene.lastRun();
		if (run === undefined) throw new Error("No run has begun.");
		write(scene.project, { "a.txt": "by the run\n" });
		const next = scene.reopen();
		write(scene.project, { "b.txt": "by the user\n" });
		const edits = { place: "folder", directory: scene.project, total: 2, late: true };
		expect(await next.repositories.end(run)).toMatchObject({ ...edits, files: [{ path: "a.txt" }, { path: "b.txt" }] });
		expect(await scene.list(runId)).toMatchObject({ until: "now", files: [{ outside: "unknown" }, { outside: "unknown" }] });
		await expect(discard(scene, "b.txt")).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
		await scene.runInFolder();
		write(scene.project, { "sub/c.txt": "by the second run\n" });
		await scene.endRun();
		expect(await scene.list(runId)).toMatchObject({ until: "next" });
		expect(await outside(scene)).toEqual([
			["a.txt", "unknown"],
			["b.txt", "unknown"],
			["sub/c.txt", undefined],
		]);
		expect(await discard(scene, "sub/c.txt")).toEqual({ discarded: ["sub/c.txt"] });
	});

	it("because its bridge ended, what an earlier run left can still be discarded, except what has changed since the last run began", async () => {
		await using scene = await ended();
		write(scene.project, { "sub/c.txt": "by the user\n" });
		await scene.runInFolder();
		const run = scene.lastRun();
		if (run === undefined) throw new Error("No run has begun.");
		const next = scene.reopen();
		write(scene.project, { "b.txt": "by the user\n" });
		await next.repositories.end(run);
		const told = [
			["a.txt", undefined],
			["b.txt", "unknown"],
			["sub/c.txt", "changed"],
		];
		expect(await outside(scene)).toEqual(told);
		await scene.runInFolder();
		await scene.endRun();
		expect(await outside(scene)).toEqual(told);
		expect(await discard(scene, "a.txt")).toEqual({ discarded: ["a.txt"] });
		await expect(discard(scene, "b.txt")).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
	});

	it("because its bridge ended, what the user changes before the run continues with the next one is not called the run's", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		const run = scene.lastRun();
		if (run === undefined) throw new Error("No run has begun.");
		write(scene.project, { "a.txt": "by the user\n" });
		const next = scene.reopen();
		await next.repositories.begin(run);
		expect(await next.repositories.end(run)).toMatchObject({ total: 1, late: true });
		expect(await outside(scene)).toEqual([["a.txt", "unknown"]]);
		await expect(discard(scene, "a.txt")).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
	});

	it("because its beginning could not be recorded, what it changes is not called the user's, then or after the next run", async () => {
		await using scene = await editScene({ bounds: { lookFiles: 3 } });
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the first run\n" });
		await scene.endRun();
		const many = ["1", "2", "3", "4"];
		write(scene.project, Object.fromEntries(many.map((name) => [name, ""])));
		const { notice } = await scene.runInFolder();
		expect(notice?.message).toContain("XWorkmate can't tell which changes are this run's. More than 3 files");
		for (const name of many) rmSync(join(scene.project, name));
		write(scene.project, { "b.txt": "by the second run\n" });
		await scene.endRun();
		const unknown = [
			["a.txt", "unknown"],
			["b.txt", "unknown"],
		];
		expect(await outside(scene)).toEqual(unknown);
		await scene.runInFolder();
		await scene.endRun();
		expect(await outside(scene)).toEqual(unknown);
	});

	it("its end is recorded if it paused and continued with the same bridge", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		const run = scene.lastRun();
		if (run === undefined) throw new Error("No run has begun.");
		await scene.repositories.begin(run);
		write(scene.project, { "a.txt": "by the run\n" });
		expect(await scene.endRun()).not.toHaveProperty("late");
		expect(await discard(scene, "a.txt")).toEqual({ discarded: ["a.txt"] });
	});

	it("nothing is discarded if the folder had too many files at the end of the run", async () => {
		await using scene = await editScene({ bounds: { lookFiles: 3 } });
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the run\n" });
		write(scene.project, { "1": "", "2": "", "3": "", "4": "" });
		await expect(scene.endRun()).rejects.toThrow("more than 3 files");
		write(scene.project, { "a.txt": "by the run\nand the user\n" });
		for (const name of ["1", "2", "3", "4"]) rmSync(join(scene.project, name));
		expect(await outside(scene)).toEqual([["a.txt", "unknown"]]);
	});
});

it("the end of a run names what changed since it began, with what was deleted, and once", async () => {
	await using scene = await editScene({ files: { "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "log\n" } });
	write(scene.project, { "a.txt": "before\n" });
	await scene.runInFolder();
	rmSync(join(scene.project, "b.txt"));
	write(scene.project, { "new.txt": "n\n", log: "x\n" });
	const files = [
		{ path: "b.txt", status: "deleted" },
		{ path: "new.txt", status: "added" },
	];
	expect(await scene.endRun()).toEqual({ place: "folder", directory: scene.project, files, total: 2 });
	expect(await scene.endRun()).toBeUndefined();
	await scene.runInFolder();
	expect(await scene.endRun()).toBeUndefined();
});
