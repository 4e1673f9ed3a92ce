import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const paths = async (scene: EditScene) => (await scene.list()).files.map(({ path }) => path);
const userHome = ({ home }: EditScene) => join(home, "home");
const committed = (scene: EditScene, branch: string) => git(scene.project, "ls-tree", "-r", "--name-only", branch).trim().split("\n");

describe("files that git ignores by the user's own patterns", () => {
	it("are not listed and not committed, and are counted before the thread is deleted", async () => {
		await using scene = await editScene();
		write(userHome(scene), { ".config/git/ignore": "\uFEFF*.env\n.idea/" });
		write(scene.project, { ".git/info/exclude": "!kept.env\n*.log\n" });
		const { directory } = await scene.runInWorktree();
		write(directory, { "local.env": "s\n", "kept.env": "k\n", ".idea/x.xml": "x\n", "z.log": "z\n", "a.txt": "A\n" });
		await scene.endRun();
		expect(await paths(scene)).toEqual(["a.txt", "kept.env"]);
		expect(await scene.repositories.worktreeOf(threadId)).toMatchObject({ ignored: { files: 3 } });
		const { branch = "" } = await scene.list();
		await scene.repositories.remove(threadId);
		expect(committed(scene, branch)).toEqual(["a.txt", "b.txt", "kept.env", "sub/c.txt"]);
	});

	it("are those of the patterns as they are now, also in a linked file that the repository's configuration names", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		write(scene.project, { "z.log": "z\n", "local.env": "s\n" });
		write(scene.home, { "dotfiles/ignore": "*.env\n" });
		symlinkSync(join(scene.home, "dotfiles", "ignore"), join(userHome(scene), "patterns"));
		git(scene.project, "config", "core.excludesFile", "~/patterns");
		write(userHome(scene), { ".config/git/ignore": "*.log\n" });
		expect(await paths(scene)).toEqual(["z.log"]);
		git(scene.project, "config", "core.excludesFile", "");
		expect(await paths(scene)).toEqual(["local.env", "z.log"]);
	});

	it("stay listed, and are committed, if the patterns were added after they were listed", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		write(directory, { "local.env": "s\n", "a.txt": "A\n" });
		await scene.endRun();
		expect(await scene.list()).toMatchObject({ uncommitted: 2 });
		write(scene.project, { ".git/info/exclude": "*.env\n" });
		expect(await paths(scene)).toEqual(["a.txt", "local.env"]);
		const { branch = "" } = await scene.list();
		await scene.repositories.remove(threadId);
		expect(committed(scene, branch)).toContain("local.env");
	});

	it("are of unknown origin once no pattern ignores them", async () => {
		await using scene = await editScene();
		write(scene.project, { ".git/info/exclude": "*.env\n" });
		await scene.runInFolder();
		write(scene.project, { "local.env": "by the run\n", "a.txt": "A\n" });
		await scene.endRun();
		rmSync(join(scene.project, ".git", "info", "exclude"));
		expect((await scene.list()).files.map(({ path, outside }) => [path, outside])).toEqual([
			["a.txt", undefined],
			["local.env", "unknown"],
		]);
	});
});

it.each<[string, (path: string) => void, string]>([
	["is a folder", (path) => mkdirSync(path, { recursive: true }), "it is not a file"],
	["is too large", (path) => write(path, { "../ignore": "#".repeat(1_100_000) }), "it is over 1 MB"],
])("nothing is listed or committed while the file with the user's patterns %s, and the error names it", async (_, spoil, why) => {
	await using scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n" });
	await scene.endRun();
	const path = join(userHome(scene), ".config", "git", "ignore");
	spoil(path);
	const detail = expect.stringContaining(`It is not known which files git ignores, because ${path} can't be read: ${why}.`);
	await expect(scene.list()).rejects.toMatchObject({ code: "GIT_FAILED", message: detail });
	await expect(scene.repositories.remove(threadId)).rejects.toMatchObject({ code: "FOLDER_NOT_REMOVED" });
});
