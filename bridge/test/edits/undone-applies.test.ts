import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

type Applied = EditScene & { readonly directory: string };

/** A thread whose run changed a file, made one and deleted one in its worktree, all of which were applied. */
async function applied(): Promise<Applied> {
	const scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n", "deep/made.md": "made\n" });
	rmSync(join(directory, "b.txt"));
	await scene.endRun();
	await scene.methods.apply({ threadId, seen: (await scene.list()).seen });
	return { ...scene, directory };
}

/** The user undoes in their own folder what was applied. */
function undo({ project }: EditScene): void {
	git(project, "reset", "--quiet", "--hard");
	git(project, "clean", "--quiet", "-fd");
}

const listed = async (scene: EditScene) => (await scene.list()).files.map(({ path, applied: how }) => [path, how]);
const branches = ({ project }: EditScene) => git(project, "branch", "--list", "--format=%(refname:short)").trim().split("\n");

describe("what was applied and is no longer in the user's folder", () => {
	it("is listed again, and can be applied again", async () => {
		await using scene = await applied();
		expect(await listed(scene)).toEqual([]);
		undo(scene);
		expect(await listed(scene)).toEqual([
			["a.txt", "undone"],
			["b.txt", "undone"],
			["deep/made.md", "undone"],
		]);
		expect((await scene.methods.diff({ threadId, path: "a.txt" })).text).toBe("@@ -1 +1 @@\n-a\n+A\n");
		const { seen } = await scene.list();
		expect(await scene.methods.apply({ threadId, seen, paths: ["a.txt", "deep/made.md"] })).toEqual({ applied: ["a.txt", "deep/made.md"] });
		expect(contents(scene.project)).toMatchObject({ "a.txt": "A\n", "b.txt": "b\n", "deep/made.md": "made\n" });
		expect(await listed(scene)).toEqual([["b.txt", "undone"]]);
	});

	it("is an ordinary change if a later run changed it again, with all that the folder lacks", async () => {
		await using scene = await applied();
		undo(scene);
		await scene.runInWorktree();
		write(scene.directory, { "a.txt": "A\nmore\n" });
		await scene.endRun();
		expect((await scene.list()).files[0]).toEqual({ path: "a.txt", status: "modified", addedLines: 2, removedLines: 1 });
		const { seen } = await scene.list();
		await scene.methods.apply({ threadId, seen, paths: ["a.txt"] });
		expect(contents(scene.project)).toMatchObject({ "a.txt": "A\nmore\n" });
	});

	it("is not written over what the user made of it, and does not keep other files from being applied", async () => {
		await using scene = await applied();
		write(scene.project, { "a.txt": "A\nmine\n", "b.txt": "mine\n" });
		write(scene.directory, { "sub/c.txt": "C\n" });
		expect(await listed(scene)).toEqual([
			["a.txt", "changed"],
			["sub/c.txt", undefined],
		]);
		const { seen } = await scene.list();
		const one = scene.methods.apply({ threadId, seen, paths: ["a.txt"] });
		await expect(one).rejects.toMatchObject({ code: "EDITS_CONFLICT", detail: expect.stringContaining("a.txt") });
		expect(await scene.methods.apply({ threadId, seen })).toEqual({ applied: ["sub/c.txt"] });
		await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
		expect(contents(scene.project)).toMatchObject({ "a.txt": "A\nmine\n", "b.txt": "mine\n", "sub/c.txt": "C\n" });
	});

	it("is not a change where the folder has what the worktree has now", async () => {
		await using scene = await applied();
		write(scene.directory, { "a.txt": "AA\n" });
		write(scene.project, { "a.txt": "AA\n" });
		expect(await listed(scene)).toEqual([]);
	});

	it("goes from the list if it is discarded", async () => {
		await using scene = await applied();
		undo(scene);
		await scene.methods.discard({ threadId, seen: (await scene.list()).seen });
		expect(contents(scene.directory)).toEqual({ "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n" });
		expect(await listed(scene)).toEqual([]);
	});

	it("goes from the list if it is discarded after the user edited it", async () => {
		await using scene = await applied();
		write(scene.project, { "a.txt": "A\nmine\n", "deep/made.md": "mine\n" });
		expect(await listed(scene)).toEqual([
			["a.txt", "changed"],
			["deep/made.md", "changed"],
		]);
		await scene.methods.discard({ threadId, seen: (await scene.list()).seen });
		expect(contents(scene.directory)).toEqual({ "a.txt": "a\n", "sub/c.txt": "c\n" });
		expect(await listed(scene)).toEqual([]);
	});

	it("is left out when all files are applied, unless nothing else is left", async () => {
		await using scene = await applied();
		undo(scene);
		write(scene.project, { "deep/made.md": "mine\n" });
		write(scene.directory, { "sub/c.txt": "C\n" });
		const { seen } = await scene.list();
		expect(await scene.methods.apply({ threadId, seen })).toEqual({ applied: ["sub/c.txt"] });
		expect(contents(scene.project)).toMatchObject({ "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "C\n" });
		expect(await scene.methods.apply({ threadId, seen })).toEqual({ applied: ["a.txt", "b.txt"] });
	});

	it("is not discarded if the user had changed it in the worktree before it was applied", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		write(directory, { "a.txt": "A\n", "b.txt": "B\n" });
		await scene.endRun();
		write(directory, { "a.txt": "mine\n" });
		await scene.methods.apply({ threadId, seen: (await scene.list()).seen });
		await scene.runInWorktree();
		await scene.endRun();
		undo(scene);
		const { files, seen } = await scene.list();
		expect(files).toMatchObject([{ path: "a.txt", outside: "changed" }, { path: "b.txt" }]);
		expect(files[1]).not.toHaveProperty("outside");
		const one = scene.methods.discard({ threadId, seen, paths: ["a.txt"] });
		await expect(one).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
		expect(await scene.methods.discard({ threadId, seen, paths: ["b.txt"] })).toEqual({ discarded: ["b.txt"] });
	});

	it("is listed again where a folder had taken the place of a file", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		rmSync(join(directory, "a.txt"));
		write(directory, { "a.txt/x": "x\n" });
		await scene.methods.apply({ threadId, seen: (await scene.list()).seen });
		expect(await listed(scene)).toEqual([]);
		undo(scene);
		expect(await listed(scene)).toEqual([
			["a.txt", "undone"],
			["a.txt/x", "undone"],
		]);
	});
});

describe("deleting a thread of which everything was applied", () => {
	it("removes its branch while the user's folder has all of it", async () => {
		await using scene = await applied();
		await scene.repositories.remove(threadId);
		expect(branches(scene)).toEqual(["main"]);
	});

	it.each<[string, (scene: Applied) => void]>([
		["undid it", undo],
		["edited one of the files on", ({ project }) => write(project, { "a.txt": "mine\n" })],
		["deleted one of the files", ({ project }) => rmSync(join(project, "deep"), { recursive: true })],
	])("keeps all of it on its branch if the user %s", async (_, change) => {
		await using scene = await applied();
		const { branch = "" } = await scene.list();
		change(scene);
		await scene.repositories.remove(threadId);
		expect(existsSync(scene.directory)).toBe(false);
		expect(branches(scene)).toEqual(["main", branch]);
		expect(git(scene.project, "show", `${branch}:a.txt`)).toBe("A\n");
		expect(git(scene.project, "show", `${branch}:deep/made.md`)).toBe("made\n");
	});
});
