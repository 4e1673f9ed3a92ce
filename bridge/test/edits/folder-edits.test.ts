import { appendFileSync, chmodSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunId } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import { contents, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const names = (list: { readonly files: readonly { readonly path: string; readonly status: string }[] }) =>
	list.files.map(({ path, status }) => `${status} ${path}`);

describe("changes in the folder itself", () => {
	it("are those since the run began, not what was there uncommitted before", async () => {
		await using scene = await editScene();
		write(scene.project, { "a.txt": "not committed\n", "untracked.txt": "u\n" });
		const { notice } = await scene.runInFolder();
		expect(notice).toBeUndefined();
		expect(await scene.list()).toMatchObject({ place: "folder", total: 0 });
		write(scene.project, { "a.txt": "by the run\n", "made.txt": "m\n" });
		rmSync(join(scene.project, "untracked.txt"));
		const list = await scene.list();
		expect(names(list)).toEqual(["modified a.txt", "added made.txt", "deleted untracked.txt"]);
		const { text } = await scene.methods.diff({ threadId, path: "a.txt" });
		expect(text).toBe("@@ -1 +1 @@\n-not committed\n+by the run\n");
	});

	it("are not listed in a folder without a repository, and the refusal says so", async () => {
		await using scene = await editScene();
		rmSync(join(scene.project, ".git"), { recursive: true });
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the run\n" });
		await scene.endRun();
		const detail = expect.stringMatching(/no record of this thread's runs in a git repository\. Changes in a folder that isn't in one/);
		await expect(scene.list()).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE", detail });
	});

	it("are put back to what they were, uncommitted work included", async () => {
		await using scene = await editScene();
		write(scene.project, { "a.txt": "not committed\n", "untracked.txt": "u\n" });
		await scene.runInFolder();
		const before = contents(scene.project);
		const index = readFileSync(join(scene.project, ".git", "index"));
		write(scene.project, { "a.txt": "by the run\n", "made/by/run.txt": "m\n" });
		rmSync(join(scene.project, "untracked.txt"));
		await scene.endRun();
		const { seen } = await scene.list();
		await scene.methods.discard({ threadId, seen });
		expect(contents(scene.project)).toEqual(before);
		expect(readFileSync(join(scene.project, ".git", "index"))).toEqual(index);
		expect(await scene.list()).toMatchObject({ total: 0 });
	});

	it("can be asked for by run, and one that a later run changed again is not discarded", async () => {
		await using scene = await editScene();
		const first = await scene.runInFolder();
		write(scene.project, { "a.txt": "first\n", "one.txt": "1\n" });
		await scene.endRun();
		const second = await scene.runInFolder();
		write(scene.project, { "a.txt": "second\n", "two.txt": "2\n" });
		await scene.endRun();
		expect(names(await scene.list(first.runId))).toEqual(["modified a.txt", "added one.txt"]);
		expect(names(await scene.list(second.runId))).toEqual(["modified a.txt", "added two.txt"]);
		const all = await scene.list();
		expect([names(all), all.runs.map(({ runId }) => runId)]).toEqual([
			["modified a.txt", "added one.txt", "added two.txt"],
			[first.runId, second.runId],
		]);
		const { seen } = all;
		const act = scene.methods.discard({ threadId, seen, runId: first.runId });
		await expect(act).rejects.toMatchObject({ code: "EDITS_CONFLICT", detail: expect.stringContaining("a.txt") });
		await scene.methods.discard({ threadId, seen, runId: second.runId });
		expect(contents(scene.project)).toMatchObject({ "a.txt": "first\n", "one.txt": "1\n" });
		await expect(scene.list(RunId.parse("run-unknown"))).rejects.toMatchObject({ code: "NOT_FOUND" });
	});

	it("say since when they are recorded, also after the thread worked in another repository, and that an earlier run's no longer are", async () => {
		await using scene = await editScene();
		const first = await scene.runInFolder();
		await scene.endRun();
		const began = (await scene.list()).since;
		const other = join(scene.home, "projects", "other");
		git(scene.home, "clone", "--quiet", scene.project, other);
		await scene.runInFolder(other);
		await scene.endRun();
		scene.clock.advance(60_000);
		await scene.runInFolder();
		await scene.endRun();
		const { since, runs } = await scene.list();
		expect([began, since, runs]).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-01T00:01:00.000Z", [expect.anything()]]);
		const refused = { code: "NOT_FOUND", detail: "This run's changes are not recorded, or no longer kept." };
		await expect(scene.list(first.runId)).rejects.toMatchObject(refused);
	});

	it("of one run are said to be those until its end, without what is as before again only if no run followed", async () => {
		await using scene = await editScene();
		const { runId } = await scene.runInFolder();
		write(scene.project, { "a.txt": "by the run\n" });
		expect(await scene.list(runId)).toMatchObject({ until: "now", total: 1 });
		await scene.endRun();
		write(scene.project, { "a.txt": "a\n" });
		expect(await scene.list(runId)).toMatchObject({ until: "still", total: 0 });
		await scene.runInFolder();
		expect(await scene.list(runId)).toMatchObject({ until: "end", total: 1 });
		expect(await scene.list()).not.toHaveProperty("until");
	});

	it("are noted once for a run that is started again", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the run\n" });
		const { runs } = await scene.list();
		expect(runs).toHaveLength(1);
		expect(names(await scene.reopen().methods.list({ threadId }))).toEqual(["modified a.txt"]);
	});

	it("are seen where the file has the size and the times it had", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		const path = join(scene.project, "a.txt");
		const { atime, mtime } = statSync(path);
		writeFileSync(join(scene.project, "beside"), "A\n");
		renameSync(join(scene.project, "beside"), path);
		utimesSync(path, atime, mtime);
		expect(names(await scene.list())).toEqual(["modified a.txt"]);
	});

	it("can't be applied or committed: they are there already", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		write(scene.project, { "a.txt": "by the run\n" });
		const { seen } = await scene.list();
		await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
		await expect(scene.methods.commit({ threadId, seen, message: "m" })).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
		expect(git(scene.project, "log", "--format=%s")).toBe("first\n");
	});

	it("include a file that became a link or executable, and leave out what is ignored and what the bridge wrote", async () => {
		await using scene = await editScene({ files: { "a.txt": "a\n", ".gitignore": "out/\n" } });
		writeFileSync(join(scene.project, ".git", "info", "exclude"), "*.log\n");
		await scene.runInFolder();
		chmodSync(join(scene.project, "a.txt"), 0o755);
		write(scene.project, { "out/x": "x", "z.log": "z", ".xworkmate/tasks/x": "x" });
		expect(names(await scene.list())).toEqual(["modified a.txt"]);
	});

	it("of a file that became a link, or the reverse, show what was removed and what is there now", async () => {
		await using scene = await editScene();
		symlinkSync("sub/c.txt", join(scene.project, "link"));
		await scene.runInFolder();
		rmSync(join(scene.project, "a.txt"));
		symlinkSync("/etc/passwd", join(scene.project, "a.txt"));
		rmSync(join(scene.project, "link"));
		write(scene.project, { link: "text\n" });
		rmSync(join(scene.project, "b.txt"));
		write(scene.project, { "b.txt/inside": "i\n" });
		const text = async (path: string) => (await scene.methods.diff({ threadId, path })).text;
		const none = "\\ No newline at end of file\n";
		expect(await text("a.txt")).toBe(`@@ -1 +0,0 @@\n-a\n@@ -0,0 +1 @@\n+/etc/passwd\n${none}`);
		expect(await text("link")).toBe(`@@ -1 +0,0 @@\n-sub/c.txt\n${none}@@ -0,0 +1 @@\n+text\n`);
		expect(await text("b.txt")).toBe("@@ -1 +0,0 @@\n-b\n");
	});

	it("of a binary file that became a link, or the reverse, show the link's target", async () => {
		await using scene = await editScene({ files: { image: "\0\u0001", other: "\0\u0001" } });
		symlinkSync("other", join(scene.project, "link"));
		await scene.runInFolder();
		rmSync(join(scene.project, "image"));
		symlinkSync("/etc/passwd", join(scene.project, "image"));
		rmSync(join(scene.project, "link"));
		write(scene.project, { link: "\0\u0001", other: "\0\u0002" });
		const shown = async (path: string) => await scene.methods.diff({ threadId, path });
		const none = "\\ No newline at end of file\n";
		expect(await shown("image")).toMatchObject({ file: { binary: true, link: true }, text: `@@ -0,0 +1 @@\n+/etc/passwd\n${none}` });
		expect(await shown("link")).toMatchObject({ file: { binary: true, link: true }, text: `@@ -1 +0,0 @@\n-other\n${none}` });
		expect(await shown("other")).toEqual({ file: { path: "other", status: "modified", binary: true }, text: "", truncated: false });
	});

	it("work in a repository without a commit, and are none outside of git", async () => {
		await using scene = await editScene({ files: {} });
		await scene.runInFolder();
		write(scene.project, { "a.txt": "a\n" });
		expect(names(await scene.list())).toEqual(["added a.txt"]);
		rmSync(join(scene.project, ".git"), { recursive: true });
		await using other = await editScene();
		rmSync(join(other.project, ".git"), { recursive: true });
		expect((await other.runInFolder()).notice).toBeUndefined();
		await expect(other.list()).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
	});

	it("work with objects named by sha256, a split index, and a linked work tree", async () => {
		await using scene = await editScene();
		rmSync(join(scene.project, ".git"), { recursive: true });
		git(scene.project, "init", "--quiet", "--object-format=sha256");
		git(scene.project, "add", "--all");
		git(scene.project, "commit", "--quiet", "--message=first");
		git(scene.project, "update-index", "--split-index");
		const linked = join(scene.home, "projects", "linked");
		git(scene.project, "worktree", "add", "--quiet", linked);
		for (const folder of [scene.project, linked]) {
			expect((await scene.runInFolder(folder)).notice).toBeUndefined();
			appendFileSync(join(folder, "a.txt"), "more\n");
			await scene.endRun();
			expect(names(await scene.list())).toEqual(["modified a.txt"]);
			await scene.methods.discard({ threadId, seen: (await scene.list()).seen });
			expect(git(folder, "status", "--porcelain")).toBe("");
		}
	});

	it("name a file that is too large without reading it, and apply nothing to it", async () => {
		await using scene = await editScene({ bounds: { fileBytes: 1_000 } });
		write(scene.project, { "before.bin": "b".repeat(2_000), "same.bin": "s".repeat(2_000) });
		await scene.runInFolder();
		expect(await scene.list()).toMatchObject({ total: 0 });
		write(scene.project, { "before.bin": "c".repeat(2_000), "after.bin": "a".repeat(2_000), "a.txt": "a".repeat(2_000) });
		const { files, seen } = await scene.list();
		expect(files).toEqual([
			{ path: "a.txt", status: "modified", hindrance: "too_large" },
			{ path: "after.bin", status: "added", hindrance: "too_large" },
			{ path: "before.bin", status: "modified", hindrance: "too_large" },
		]);
		expect(await scene.methods.diff({ threadId, path: "a.txt" })).toMatchObject({ text: "", truncated: false });
		const act = scene.methods.discard({ threadId, seen, paths: ["a.txt"] });
		await expect(act).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
	});

	it("are bounded: the diff at a line, the list in length, and a folder with too much in it is said", async () => {
		await using scene = await editScene({ bounds: { diffBytes: 500, listFiles: 2, lookFiles: 5 } });
		await scene.runInFolder();
		write(scene.project, { "a.txt": "line\n".repeat(500), "d.txt": "d", "e.txt": "e" });
		const list = await scene.list();
		expect([list.files.length, list.total]).toEqual([2, 3]);
		const { text, truncated } = await scene.methods.diff({ threadId, path: "a.txt" });
		expect([text.endsWith("line\n"), truncated, text.length < 500]).toEqual([true, true, true]);
		for (let at = 0; at < 6; at += 1) write(scene.project, { [`more-${at}`]: "m" });
		await expect(scene.list()).rejects.toMatchObject({ code: "GIT_FAILED", detail: expect.stringContaining("More than 5 files") });
		expect((await scene.runInFolder()).notice).toMatchObject({ code: "CHANGES_NOT_FOLLOWED" });
	});

	it("leave out git repositories inside the folder, which the list names, and files that git ignores", async () => {
		await using scene = await editScene();
		write(scene.project, { ".gitignore": ".env\nbuild/\n", ".env": "A=1\n" });
		await scene.runInFolder();
		expect(await scene.list()).not.toHaveProperty("repositories");
		for (const name of ["webapp", "build"]) {
			git(scene.project, "init", "--quiet", name);
			write(join(scene.project, name), { "index.js": "1\n" });
			git(join(scene.project, name), "add", "--all");
			git(join(scene.project, name), "commit", "--quiet", "--message=first");
		}
		write(scene.project, { ".env": "A=2\n" });
		expect(await scene.list()).toMatchObject({ total: 0, repositories: { count: 1, paths: ["webapp/"] } });
	});

	it("are said to be unknown where the repository begins outside of the allowed folders", async () => {
		await using scene = await editScene({ allowed: ["projects/one/sub"] });
		const { notice } = await scene.runInFolder(join(scene.project, "sub"));
		expect(notice).toMatchObject({
			code: "CHANGES_NOT_FOLLOWED",
			message: expect.stringContaining("The root of the folder's repository is"),
		});
	});

	it("are not followed for a run outside of the thread's worktree", async () => {
		await using scene = await editScene();
		await scene.runInWorktree();
		expect((await scene.runInFolder()).notice).toMatchObject({ code: "CHANGES_NOT_FOLLOWED" });
		expect(await scene.list()).toMatchObject({ place: "worktree" });
	});
});
