import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

describe("a thread's worktree", () => {
	it("is named with its branch for the question whether to delete the thread", async () => {
		await using scene = await editScene();
		expect(await scene.repositories.worktreeOf(threadId)).toBeUndefined();
		const { directory } = await scene.runInWorktree();
		const branch = git(directory, "branch", "--show-current").trim();
		expect(await scene.repositories.worktreeOf(threadId)).toEqual({ directory, branch, ignored: { files: 0 } });
	});

	it("is named with the files that git ignores, which no commit keeps, also if the run itself made git ignore them", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		write(directory, { ".gitignore": "secret.env\nout/\n", "secret.env": "s\n", "out/a.bin": "1", "out/deep/b.bin": "2" });
		write(directory, { ".xworkmate/tasks/one/report.md": "the bridge's own\n" });
		expect(await scene.repositories.worktreeOf(threadId)).toMatchObject({ ignored: { files: 3 } });
		const branch = git(directory, "branch", "--show-current").trim();
		await scene.endRun();
		await scene.repositories.remove(threadId);
		const kept = git(scene.project, "ls-tree", "-r", "--name-only", branch).trim().split("\n");
		expect(kept).toContain(".gitignore");
		expect(kept.filter((path) => /secret|bin/.test(path))).toEqual([]);
	});

	it("is named with more files than were counted if git ignores a whole repository in it, of which git names the folder alone", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		write(directory, { ".gitignore": "vendor/\nsecret.env\n", "secret.env": "s\n", "vendor/lib/a.js": "1", "vendor/lib/b.js": "2" });
		git(join(directory, "vendor", "lib"), "init", "--quiet");
		expect((await scene.repositories.worktreeOf(threadId))?.ignored).toEqual({ files: 2, more: true });
	});

	it("is named with the repositories inside it, whose files and history no commit to its branch keeps", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		const repository = (path: string, commits = false) => {
			write(directory, { [`${path}/a.js`]: "1" });
			git(join(directory, path), "init", "--quiet");
			if (commits) git(join(directory, path), "add", "a.js");
		};
		repository("lib", true);
		expect(await scene.repositories.worktreeOf(threadId)).toMatchObject({ repositories: { count: 1, paths: ["lib/"] } });
		write(directory, { ".gitignore": "vendor/\n" });
		for (const name of ["b", "c", "d", "vendor/e", "vendor/f"]) repository(name);
		const found = (await scene.repositories.worktreeOf(threadId))?.repositories;
		expect([found?.count, found?.paths]).toEqual([6, ["b/", "c/", "d/", "lib/", "vendor/e/"]]);
		const branch = git(directory, "branch", "--show-current").trim();
		await scene.endRun();
		await scene.repositories.remove(threadId);
		expect(git(scene.project, "ls-tree", "-r", "--name-only", branch)).not.toMatch(/a\.js/);
	});

	it("is named with a submodule that was checked out in it, and with none that was not", async () => {
		await using scene = await editScene();
		git(scene.project, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},lib`);
		git(scene.project, "commit", "--quiet", "-m", "a submodule");
		const { directory } = await scene.runInWorktree();
		await scene.endRun();
		expect((await scene.repositories.worktreeOf(threadId))?.repositories).toBeUndefined();
		write(directory, { "lib/a.js": "1" });
		git(join(directory, "lib"), "init", "--quiet");
		expect(await scene.repositories.worktreeOf(threadId)).toMatchObject({ repositories: { count: 1, paths: ["lib/"] } });
	});

	it("is named without a number of ignored files if they can't be counted, and with that there are more than were counted", async () => {
		await using scene = await editScene({ bounds: { outputBytes: 100_000 } });
		const { directory } = await scene.runInWorktree();
		write(directory, {
			".gitignore": "out/\n",
			...Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`out/${String(at).padStart(54, "0")}`, ""])),
		});
		const found = await scene.repositories.worktreeOf(threadId);
		// Git prints 59 bytes for each file. One whose name is cut is not counted.
		expect(found?.ignored).toEqual({ files: Math.floor(100_000 / 59), more: true });
		rmSync(join(scene.project, ".git"), { recursive: true });
		expect(await scene.repositories.worktreeOf(threadId)).toMatchObject({ directory });
		rmSync(directory, { recursive: true });
		expect((await scene.repositories.worktreeOf(threadId))?.ignored).toBeUndefined();
	});
});
