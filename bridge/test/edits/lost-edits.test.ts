import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, vi } from "vitest";
import { EditFolder } from "../../src/edits/edit-state.ts";
import { verifyEdits } from "../../src/edits/verify-edits.ts";
import { leaveWorkspace } from "../../src/runs/engine/where-it-wrote.ts";
import { editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

it("a run that deletes its worktree ends without knowing what changed, and the changes name the folder that is gone and the branch", async () => {
	await using scene = await editScene();
	const { directory } = await scene.runInWorktree();
	const branch = git(directory, "branch", "--show-current").trim();
	write(directory, { "a.txt": "A\n" });
	rmSync(directory, { recursive: true });
	expect(await scene.endRun()).toEqual({ place: "worktree", directory, files: [], total: 0, unknown: "folder_gone" });
	const refused = {
		code: "EDITS_UNAVAILABLE",
		message: expect.stringContaining(`worktree is no longer at ${directory}. Unless it was moved, its uncommitted changes are lost.`),
		fix: expect.stringContaining(branch),
	};
	await expect(scene.list()).rejects.toMatchObject(refused);
	await expect(scene.methods.diff({ threadId, path: "a.txt" })).rejects.toMatchObject(refused);
	expect((await scene.runInWorktree()).notice).toBeUndefined();
	expect(await scene.list()).toMatchObject({ total: 0, branch });
});

it("a worktree that is made again on its branch still lists what was committed there and not applied, and the branch stays", async () => {
	await using scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n", "b.txt": "B\n", "sub/c.txt": "C\n", "new.txt": "n\n" });
	await scene.endRun();
	const apply = async (...paths: string[]) => await scene.methods.apply({ threadId, seen: (await scene.list()).seen, paths });
	await apply("a.txt");
	git(directory, "add", "a.txt", "b.txt", "new.txt");
	git(directory, "commit", "--quiet", "--message=there");
	await apply("sub/c.txt");
	rmSync(directory, { recursive: true });
	await scene.runInWorktree();
	const { files, branch = "" } = await scene.list();
	expect(files).toMatchObject([
		{ path: "b.txt", status: "modified", committed: true },
		{ path: "new.txt", status: "added", committed: true },
	]);
	await apply("b.txt", "new.txt");
	await scene.endRun();
	await scene.repositories.remove(threadId);
	expect(git(scene.project, "show", `${branch}:b.txt`)).toBe("B\n");
});

it("a run that deletes its project folder ends without knowing what changed, and the changes name the folder that is gone", async () => {
	await using scene = await editScene();
	await scene.runInFolder();
	rmSync(scene.project, { recursive: true });
	expect(await scene.endRun()).toMatchObject({ place: "folder", directory: scene.project, total: 0, unknown: "folder_gone" });
	await expect(scene.list()).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE", message: expect.stringContaining(scene.project) });
});

it.each(["folder", "worktree"])(
	"a run in a %s that deletes the repository ends without knowing what changed, and the changes say why",
	async (place) => {
		await using scene = await editScene();
		const directory = place === "folder" ? scene.project : (await scene.runInWorktree()).directory;
		if (place === "folder") await scene.runInFolder();
		write(directory, { "a.txt": "A\n" });
		rmSync(join(scene.project, ".git"), { recursive: true });
		expect(await scene.endRun()).toMatchObject({ place, directory, total: 0, unknown: "repository_gone" });
		await expect(scene.list()).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE", message: expect.stringContaining("repository") });
	},
);

it("a run whose files can't be compared at its end says that what changed isn't known, and the bridge's log says why", async () => {
	await using scene = await editScene();
	await scene.runInFolder();
	const record = scene.lastRun();
	if (record === undefined) throw new Error("No run has begun.");
	write(scene.project, { "a.txt": "A\n" });
	rmSync(join(scene.project, ".git"), { recursive: true });
	git(scene.project, "init", "--quiet");
	const faults: unknown[] = [];
	const end = await leaveWorkspace({ record }, { leave: (run) => scene.repositories.end(run) }, (error) => faults.push(error));
	expect(end).toEqual({ place: "folder", directory: scene.project, files: [], total: 0, unknown: "unreadable" });
	expect(faults).toMatchObject([{ code: "GIT_FAILED" }]);
});

it("a home that was copied without its worktree says nothing of a worktree that is gone", async () => {
	await using scene = await editScene();
	await scene.runInWorktree();
	await scene.endRun();
	const copy = scene.reopenCopy();
	rmSync(join(dirname(copy.bridgeHome), "bridge", "worktrees"), { recursive: true });
	await expect(copy.methods.list({ threadId })).rejects.toMatchObject({
		message: expect.stringContaining("doesn't have the thread's worktree"),
	});
});

/** What a verification finds: paths that are gone, and problems. */
async function verified(bridgeHome: string) {
	const found: { readonly gone: string[]; readonly problems: string[] } = { gone: [], problems: [] };
	const records = await verifyEdits(bridgeHome, process.env.PATH, {
		problem: (message) => found.problems.push(message),
		gone: (path) => found.gone.push(path),
		read: () => undefined,
	});
	return { records, ...found };
}

it.each(["repository", "worktree", "folder"])(
	"a verification names the %s without which the changes of a thread can't be listed",
	async (what) => {
		await using scene = await editScene();
		const worktree = what === "worktree" ? (await scene.runInWorktree()).directory : undefined;
		if (worktree === undefined) await scene.runInFolder();
		write(worktree ?? scene.project, { "a.txt": "A\n" });
		await scene.endRun();
		expect(await verified(scene.bridgeHome)).toEqual({ records: 1, gone: [], problems: [] });
		const path = worktree ?? (what === "folder" ? scene.project : join(scene.project, ".git"));
		rmSync(path, { recursive: true });
		expect(await verified(scene.bridgeHome)).toEqual({ records: 1, gone: [path], problems: [] });
	},
);

it("a verification names a record of which the repository no longer has a file's earlier content", async () => {
	await using scene = await editScene();
	await scene.runInFolder();
	write(scene.project, { "a.txt": "A\n" });
	await scene.endRun();
	const id = git(scene.project, "rev-parse", "HEAD:a.txt").trim();
	rmSync(join(scene.project, ".git", "objects", id.slice(0, 2), id.slice(2)));
	await expect(scene.list()).rejects.toMatchObject({ code: "GIT_FAILED" });
	expect((await verified(scene.bridgeHome)).problems).toEqual([expect.stringContaining("is missing a version that the thread's files")]);
});

it("the end of a run that could not be recorded at first, because the disk was full, is recorded as seen the second time", async () => {
	await using scene = await editScene();
	await scene.runInFolder();
	write(scene.project, { "a.txt": "A\n" });
	const full = vi.spyOn(EditFolder.prototype, "write").mockImplementation(() => {
		throw Object.assign(new Error("no space"), { code: "ENOSPC" });
	});
	await expect(scene.endRun()).rejects.toThrow("no space");
	full.mockRestore();
	const edits = await scene.endRun();
	expect(edits).toMatchObject({ total: 1 });
	expect(edits).not.toHaveProperty("late");
});
