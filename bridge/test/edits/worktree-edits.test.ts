import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const BRANCH = "xworkmate/thread-1-";

/** Everything of the user's repository that a worktree must not touch. */
function untouched({ project }: EditScene) {
	return {
		files: contents(project),
		status: git(project, "status", "--porcelain=v2"),
		index: readFileSync(join(project, ".git", "index"), "base64"),
		head: readFileSync(join(project, ".git", "HEAD"), "utf8"),
		config: readFileSync(join(project, ".git", "config"), "utf8"),
		log: git(project, "log", "--format=%H"),
	};
}

const six = { "a.txt": "A\n", "sub/c.txt": "c\nmore\n", "new.txt": "n\n", "deep/er/new.txt": "d\n", "-rf": "dash\n" };

async function changed(): Promise<EditScene & { readonly directory: string }> {
	const scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, six);
	rmSync(join(directory, "b.txt"));
	return { ...scene, directory };
}

function commitMine(project: string): void {
	write(project, { "a.txt": "mine\n" });
	git(project, "commit", "-qam", "mine");
}

function linkInstead(project: string): void {
	rmSync(join(project, "a.txt"));
	symlinkSync("/etc/hostname", join(project, "a.txt"));
}

function beginAgain(project: string): void {
	rmSync(join(project, ".git"), { recursive: true });
	git(project, "init", "--quiet");
}

describe("a thread's worktree", () => {
	it("has the commit's files and a branch of its own, inside the home, and the checkout stays as it is", async () => {
		await using scene = await editScene();
		write(scene.project, { "a.txt": "not committed\n", "untracked.txt": "u\n" });
		const before = untouched(scene);
		const { directory, notice } = await scene.runInWorktree();
		expect(notice).toBeUndefined();
		expect(directory.startsWith(join(scene.bridgeHome, "worktrees"))).toBe(true);
		expect(contents(directory)).toEqual({ "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n" });
		expect(git(directory, "status", "--porcelain")).toBe("");
		expect(git(directory, "branch", "--show-current")).toMatch(new RegExp(`^${BRANCH}[0-9a-f]{12}\n$`));
		expect(untouched(scene)).toEqual(before);
	});

	it("is the same for further runs, and works in the part of it that the folder is", async () => {
		await using scene = await editScene();
		const first = await scene.runInWorktree();
		write(first.directory, { "a.txt": "A\n" });
		const second = await scene.runInWorktree(join(scene.project, "sub"));
		expect(second.directory).toBe(join(first.directory, "sub"));
		expect(contents(first.directory)).toMatchObject({ "a.txt": "A\n" });
	});

	it("lists six changed files with their lines", async () => {
		await using scene = await changed();
		const { files, place, total, branch } = await scene.list();
		expect([place, total, branch?.startsWith(BRANCH)]).toEqual(["worktree", 6, true]);
		expect(files).toEqual([
			{ path: "-rf", status: "added", addedLines: 1, removedLines: 0 },
			{ path: "a.txt", status: "modified", addedLines: 1, removedLines: 1 },
			{ path: "b.txt", status: "deleted", addedLines: 0, removedLines: 1 },
			{ path: "deep/er/new.txt", status: "added", addedLines: 1, removedLines: 0 },
			{ path: "new.txt", status: "added", addedLines: 1, removedLines: 0 },
			{ path: "sub/c.txt", status: "modified", addedLines: 1, removedLines: 0 },
		]);
	});

	it("shows one file's diff without a header", async () => {
		await using scene = await changed();
		const { text, truncated } = await scene.methods.diff({ threadId, path: "sub/c.txt" });
		expect([text, truncated]).toEqual(["@@ -1 +1,2 @@\n c\n+more\n", false]);
		await expect(scene.methods.diff({ threadId, path: "untouched" })).rejects.toMatchObject({ code: "NOT_FOUND" });
	});

	it("applies three of six, discards the rest, and then has nothing left", async () => {
		await using scene = await changed();
		await scene.endRun();
		const { seen } = await scene.list();
		const paths = ["a.txt", "b.txt", "deep/er/new.txt"];
		expect(await scene.methods.apply({ threadId, seen, paths })).toEqual({ applied: paths });
		expect(contents(scene.project)).toEqual({ "a.txt": "A\n", "deep/er/new.txt": "d\n", "sub/c.txt": "c\n" });
		const rest = await scene.list();
		expect(rest.files.map(({ path }) => path)).toEqual(["-rf", "new.txt", "sub/c.txt"]);
		await scene.methods.discard({ threadId, seen: rest.seen });
		expect(await scene.list()).toMatchObject({ total: 0, files: [] });
		expect(contents(scene.project)).toEqual({ "a.txt": "A\n", "deep/er/new.txt": "d\n", "sub/c.txt": "c\n" });
		expect(git(scene.project, "log", "--format=%s")).toBe("first\n");
	});

	it("applies a file again after it was changed again", async () => {
		await using scene = await changed();
		const first = await scene.list();
		await scene.methods.apply({ threadId, seen: first.seen, paths: ["a.txt"] });
		write(scene.directory, { "a.txt": "AA\n" });
		const second = await scene.list();
		await scene.methods.apply({ threadId, seen: second.seen, paths: ["a.txt"] });
		expect(readFileSync(join(scene.project, "a.txt"), "utf8")).toBe("AA\n");
	});

	it.each<[string, (project: string) => void, string]>([
		["was changed and not committed", (project) => write(project, { "a.txt": "mine\n" }), "a.txt"],
		["was committed differently", commitMine, "a.txt"],
		["was deleted", (project) => rmSync(join(project, "a.txt")), "a.txt"],
		["was made by the user too", (project) => write(project, { "new.txt": "mine\n" }), "new.txt"],
		["became a folder", (project) => write(project, { "new.txt/x": "mine\n" }), "new.txt"],
		["became executable", (project) => chmodSync(join(project, "a.txt"), 0o755), "a.txt"],
		["would be in what is a file", (project) => write(project, { deep: "mine\n" }), "deep/er/new.txt"],
		["would be in what is a link", (project) => symlinkSync("/tmp", join(project, "deep")), "deep/er/new.txt"],
		["is a link", linkInstead, "a.txt"],
	])("refuses all of it, and names the file, if one %s", async (_, spoil, name) => {
		await using scene = await changed();
		spoil(scene.project);
		const before = contents(scene.project);
		const { seen } = await scene.list();
		await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject({
			code: "EDITS_CONFLICT",
			detail: expect.stringContaining(name),
		});
		expect(contents(scene.project)).toEqual(before);
		expect(await scene.list()).toMatchObject({ total: 6 });
	});

	it("applies nothing that the user has not seen", async () => {
		await using scene = await changed();
		const { seen } = await scene.list();
		await expect(scene.methods.apply({ threadId, seen, paths: ["a.txt", "typed wrong"] })).rejects.toMatchObject({
			code: "NOT_FOUND",
			detail: "This file is not in the list of changes: typed wrong.",
		});
		write(scene.directory, { "a.txt": "another\n" });
		await expect(scene.methods.apply({ threadId, seen, paths: ["a.txt"] })).rejects.toMatchObject({ code: "EDITS_CHANGED" });
		await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject({ code: "EDITS_CHANGED" });
		await expect(scene.methods.discard({ threadId, seen, paths: ["a.txt"] })).rejects.toMatchObject({ code: "EDITS_CHANGED" });
		await expect(scene.methods.apply({ threadId, seen, paths: ["other"] })).rejects.toMatchObject({ code: "EDITS_CHANGED" });
		await expect(scene.methods.apply({ threadId, seen: "0".repeat(40) })).rejects.toMatchObject({ code: "EDITS_CHANGED" });
		expect(await scene.methods.apply({ threadId, seen, paths: ["new.txt"] })).toEqual({ applied: ["new.txt"] });
	});

	it("writes nothing while a run of the thread works", async () => {
		await using scene = await changed();
		const { seen } = await scene.list();
		scene.state.isBusy = true;
		for (const act of [scene.methods.apply({ threadId, seen }), scene.methods.discard({ threadId, seen })]) {
			await expect(act).rejects.toMatchObject({ code: "THREAD_BUSY" });
		}
		await expect(scene.methods.commit({ threadId, seen, message: "m" })).rejects.toMatchObject({ code: "THREAD_BUSY" });
		expect([contents(scene.project)["a.txt"], scene.state.locks]).toEqual(["a\n", 0]);
	});

	it.each([true, false])("lists a file whose mode alone changed with what it is now: executable %s", async (executable) => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		const [before, after] = executable ? [0o644, 0o755] : [0o755, 0o644];
		chmodSync(join(directory, "a.txt"), before);
		const { seen, files } = await scene.list();
		if (files.length > 0) await scene.methods.apply({ threadId, seen });
		chmodSync(join(directory, "a.txt"), after);
		expect((await scene.list()).files).toMatchObject([{ path: "a.txt", status: "modified", addedLines: 0, removedLines: 0, executable }]);
	});

	it("applies modes and links as they are", async () => {
		await using scene = await changed();
		chmodSync(join(scene.directory, "new.txt"), 0o755);
		symlinkSync("a.txt", join(scene.directory, "link"));
		const { seen, files } = await scene.list();
		expect(files).toContainEqual({ path: "link", status: "added", addedLines: 1, removedLines: 0, link: true });
		await scene.methods.apply({ threadId, seen, paths: ["new.txt", "link"] });
		expect(lstatSync(join(scene.project, "new.txt")).mode & 0o111).not.toBe(0);
		expect(contents(scene.project).link).toBe("-> a.txt");
	});

	it("commits to its branch in the user's name, and the checkout stays as it is", async () => {
		await using scene = await changed();
		writeFileSync(join(scene.home, "home", ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@localhost\n");
		const before = untouched(scene);
		const { seen } = await scene.list();
		const { commit, branch } = await scene.methods.commit({ threadId, seen, message: "What the run did" });
		expect(git(scene.project, "log", "-1", "--format=%H %an %ce %s", branch)).toBe(`${commit} Ada ada@localhost What the run did\n`);
		expect(git(scene.project, "diff", "--name-only", `main..${branch}`).split("\n")).toHaveLength(7);
		expect(git(scene.directory, "status", "--porcelain")).toBe("");
		git(scene.project, "fsck", "--full", "--strict");
		expect(untouched(scene)).toEqual(before);
		// What is committed can still be applied.
		expect(await scene.list()).toMatchObject({ total: 6 });
		const again = scene.methods.commit({ threadId, seen, message: "again" });
		await expect(again).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
	});

	it("counts applied files among those that a commit has, and lists which are committed and not applied", async () => {
		await using scene = await changed();
		const { seen, ...first } = await scene.list();
		expect([first.total, first.uncommitted, first.files.some(({ committed }) => committed)]).toEqual([6, 6, false]);
		await scene.methods.apply({ threadId, seen, paths: ["a.txt"] });
		expect(await scene.list()).toMatchObject({ total: 5, uncommitted: 6 });
		expect(await scene.methods.commit({ threadId, seen, message: "m" })).toMatchObject({ files: 6 });
		write(scene.directory, { "new.txt": "n again\n" });
		const { total, uncommitted, files } = await scene.list();
		expect([total, uncommitted]).toEqual([5, 1]);
		expect(files.filter(({ committed }) => !committed).map(({ path }) => path)).toEqual(["new.txt"]);
	});

	it("goes with the thread, and so does its branch if nothing is on it", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		await scene.repositories.remove(threadId);
		expect(existsSync(directory)).toBe(false);
		expect(git(scene.project, "branch", "--list").trim()).toBe("* main");
		expect(git(scene.project, "worktree", "list").trim().split("\n")).toHaveLength(1);
		await expect(scene.list()).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
	});

	it("goes with the thread, but what was not applied is committed to its branch first, which stays", async () => {
		await using scene = await changed();
		const { branch = "" } = await scene.list();
		await scene.repositories.remove(threadId);
		expect(existsSync(scene.directory)).toBe(false);
		expect(git(scene.project, "show", `${branch}:a.txt`)).toBe("A\n");
		expect(git(scene.project, "worktree", "list").trim().split("\n")).toHaveLength(1);
	});

	it("keeps the thread if what was not applied can't be kept", async () => {
		await using scene = await changed();
		git(scene.directory, "switch", "--quiet", "-c", "elsewhere");
		await expect(scene.repositories.remove(threadId)).rejects.toMatchObject({
			code: "FOLDER_NOT_REMOVED",
			detail: expect.stringContaining(scene.directory),
		});
		expect(contents(scene.directory)["a.txt"]).toBe("A\n");
		rmSync(scene.directory, { recursive: true });
		await scene.repositories.remove(threadId);
		expect(git(scene.project, "worktree", "list").trim().split("\n")).toHaveLength(1);
	});

	it("is made again if it was deleted", async () => {
		await using scene = await changed();
		rmSync(scene.directory, { recursive: true });
		await expect(scene.list()).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
		await scene.runInWorktree();
		expect(contents(scene.directory)).toEqual({ "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n" });
	});
});

describe("a worktree is refused", () => {
	it.each<[string, (scene: EditScene) => void, string]>([
		["outside of git", ({ project }) => rmSync(join(project, ".git"), { recursive: true }), "not in a git repository"],
		["without a commit", ({ project }) => beginAgain(project), "no commits yet"],
		[
			"if a filter stores files in another form",
			({ project }) => {
				write(project, { ".gitattributes": "*.txt filter=lfs\n" });
				git(project, "add", ".gitattributes");
				git(project, "commit", "-qm", "lfs");
			},
			"filter",
		],
	])("%s", async (_, prepare, words) => {
		await using scene = await editScene();
		prepare(scene);
		const planned = await scene.repositories.planWorktree(threadId, scene.project);
		expect(planned).toEqual({ refused: expect.stringContaining(words), fix: expect.any(String) });
	});

	it("of another repository than the thread's", async () => {
		await using scene = await editScene();
		await scene.runInWorktree();
		const other = join(scene.home, "projects", "two");
		write(other, { "x.txt": "x\n" });
		git(other, "init", "--quiet");
		expect(await scene.repositories.planWorktree(threadId, other)).toMatchObject({ refused: expect.stringContaining(scene.project) });
	});

	it("if the repository begins outside of the allowed folders", async () => {
		await using scene = await editScene({ allowed: ["projects/one/sub"] });
		const planned = await scene.repositories.planWorktree(threadId, join(scene.project, "sub"));
		expect(planned).toMatchObject({ refused: expect.stringContaining("where runs are not allowed to work") });
	});
});
