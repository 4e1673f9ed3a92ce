import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

/** A program that leaves a mark if anything runs it. */
function trap({ home }: EditScene): { readonly program: string; readonly wasRun: () => boolean } {
	const [program, mark] = [join(home, "trap.sh"), join(home, "trap-was-run")];
	writeFileSync(program, `#!/bin/sh\necho run >> ${mark}\ncat\n`);
	chmodSync(program, 0o755);
	return { program, wasRun: () => existsSync(mark) };
}

const hooks = ["post-checkout", "post-commit", "pre-commit", "reference-transaction", "post-index-change", "post-rewrite", "pre-auto-gc"];

/** What a repository may say to have a program run. */
const lies: Readonly<Record<string, (folder: string, program: string) => void>> = {
	hooks: (folder, program) => {
		for (const hook of hooks) symlinkSync(program, join(folder, ".git", "hooks", hook));
	},
	"a hooks folder": (folder, program) => {
		write(folder, { "hooks/x": "" });
		for (const hook of hooks) symlinkSync(program, join(folder, "hooks", hook));
		git(folder, "config", "core.hooksPath", join(folder, "hooks"));
	},
	"a file system monitor": (folder, program) => void git(folder, "config", "core.fsmonitor", program),
	"an external diff": (folder, program) => void git(folder, "config", "diff.external", program),
	"a diff driver and its text conversion": (folder, program) => {
		git(folder, "config", "diff.x.command", program);
		git(folder, "config", "diff.x.textconv", program);
		appendFileSync(join(folder, ".git", "info", "attributes"), "* diff=x\n");
		write(folder, { "sub/.gitattributes": "* diff=x\n" });
	},
	"a filter": (folder, program) => {
		for (const step of ["clean", "smudge", "process"]) git(folder, "config", `filter.x.${step}`, program);
		git(folder, "config", "filter.x.required", "true");
		appendFileSync(join(folder, ".git", "info", "attributes"), "*.txt filter=x\n");
	},
	"a pager, an editor, signing, and upkeep": (folder, program) => {
		for (const key of ["core.pager", "core.editor", "gpg.program", "core.sshCommand", "core.askPass", "credential.helper"]) {
			git(folder, "config", key, program);
		}
		git(folder, "config", "commit.gpgSign", "true");
		git(folder, "config", "gc.auto", "1");
	},
	"included configuration": (folder, program) => {
		writeFileSync(join(folder, ".git", "more"), `[core]\n\tfsmonitor = ${program}\n\thooksPath = ${folder}\n`);
		git(folder, "config", "include.path", "more");
	},
	aliases: (folder, program) => {
		for (const name of ["worktree", "diff-tree", "update-ref", "ls-files"]) git(folder, "config", `alias.${name}`, `!${program}`);
	},
	"another work tree": (folder) => void git(folder, "config", "core.worktree", "/"),
	"a remote that objects are fetched from": (folder, program) => {
		git(folder, "config", "remote.origin.url", `ext::${program}`);
		git(folder, "config", "remote.origin.promisor", "true");
		git(folder, "config", "protocol.ext.allow", "always");
		git(folder, "config", "extensions.partialClone", "origin");
	},
	"a submodule with a monitor of its own": (folder, program) => {
		const nested = join(folder, "nested");
		mkdirSync(nested);
		git(nested, "init", "--quiet");
		write(nested, { "x.txt": "x\n" });
		git(nested, "add", "--all");
		git(nested, "commit", "--quiet", "--message=nested");
		git(folder, "-c", "advice.addEmbeddedRepo=false", "add", "nested");
		git(folder, "commit", "--quiet", "--message=nested");
		git(nested, "config", "core.fsmonitor", program);
		write(nested, { "x.txt": "changed\n" });
	},
};

describe("a hostile repository", () => {
	it.each(Object.entries(lies))("has nothing run by %s when its changes are listed and discarded", async (_, lie) => {
		await using scene = await editScene();
		const { program, wasRun } = trap(scene);
		lie(scene.project, program);
		rmSync(join(scene.home, "trap-was-run"), { force: true });
		expect((await scene.runInFolder()).notice).toBeUndefined();
		write(scene.project, { "a.txt": "by the run\n", "made.txt": "m\n" });
		await scene.endRun();
		const { files, seen } = await scene.list();
		expect(files.map(({ path }) => path)).toEqual(["a.txt", "made.txt"]);
		await scene.methods.diff({ threadId, path: "a.txt" });
		await scene.methods.discard({ threadId, seen });
		expect(contents(scene.project)["a.txt"]).toBe("a\n");
		expect(wasRun()).toBe(false);
	});

	it.each(Object.entries(lies))("has nothing run by %s in a thread's worktree, from its making to its removal", async (_, lie) => {
		await using scene = await editScene();
		const { program, wasRun } = trap(scene);
		lie(scene.project, program);
		rmSync(join(scene.home, "trap-was-run"), { force: true });
		const planned = await scene.repositories.planWorktree(threadId, scene.project);
		if ("refused" in planned) {
			expect(wasRun()).toBe(false);
			return;
		}
		const { directory } = await scene.runInWorktree();
		write(directory, { "a.txt": "by the run\n", "made.txt": "m\n" });
		await scene.endRun();
		const { seen } = await scene.list();
		await scene.methods.diff({ threadId, path: "a.txt" });
		await scene.methods.commit({ threadId, seen, message: "m" });
		await scene.methods.apply({ threadId, seen, paths: ["a.txt"] });
		await scene.methods.discard({ threadId, seen, paths: ["made.txt"] });
		await scene.repositories.remove(threadId);
		expect([contents(scene.project)["a.txt"], existsSync(directory), wasRun()]).toEqual(["by the run\n", false, false]);
	});

	it("may have names with control characters, quotes, leading dashes and bytes that are no text", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		const odd = ["-rf", "--all", 'q"uote', "new\nline", "tab\t", "esc\u001b[2J", "sp ace", "ü", ":(top)x", "*", "..x", "a\\b"];
		write(scene.project, Object.fromEntries(odd.map((name) => [name, `${name}\n`])));
		execFileSync("sh", ["-c", "printf x > \"$(printf 'by\\377te')\""], { cwd: scene.project });
		await scene.endRun();
		const { files, seen } = await scene.list();
		expect(
			files
				.filter(({ hindrance }) => hindrance === undefined)
				.map(({ path }) => path)
				.toSorted(),
		).toEqual(odd.toSorted());
		expect(files.find(({ hindrance }) => hindrance === "name")).toEqual({ path: "by\ufffdte", status: "added", hindrance: "name" });
		for (const path of odd) expect(await scene.methods.diff({ threadId, path })).toMatchObject({ text: expect.stringContaining("+") });
		await scene.methods.discard({ threadId, seen, paths: odd });
		execFileSync("sh", ["-c", "rm by*"], { cwd: scene.project });
		expect(Object.keys(contents(scene.project))).toEqual(["a.txt", "b.txt", "sub/c.txt"]);
	});

	it.each<[string, (scene: EditScene) => void]>([
		[
			"a folder of another user's repository",
			({ project, home }) => writeFileSync(join(project, ".git"), `gitdir: ${home}/private/.git\n`),
		],
		["nothing", ({ project }) => writeFileSync(join(project, ".git"), "gitdir: /nonexistent\n")],
		["no repository at all", ({ project }) => writeFileSync(join(project, ".git"), "hello\n")],
		["itself", ({ project }) => symlinkSync(".git", join(project, ".git"))],
		["a pipe", ({ project }) => void execFileSync("mkfifo", [join(project, ".git")])],
	])("may have a .git that leads to %s: nothing is read there, and the run is told", async (_, lie) => {
		await using scene = await editScene();
		rmSync(join(scene.project, ".git"), { recursive: true });
		const secret = join(scene.home, "private");
		write(secret, { "secret.txt": "secret\n" });
		git(secret, "init", "--quiet");
		git(secret, "add", "--all");
		git(secret, "commit", "--quiet", "--message=secret");
		lie(scene);
		const { notice } = await scene.runInFolder();
		expect(notice).toMatchObject({ code: "CHANGES_NOT_FOLLOWED" });
		await expect(scene.list()).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
		expect(await scene.repositories.planWorktree(threadId, scene.project)).toHaveProperty("refused");
	});

	it("may name a shared folder elsewhere: the refusal names that folder, not the allowed one", async () => {
		await using scene = await editScene();
		const common = join(scene.home, "private", ".git");
		write(join(scene.home, "private"), { "secret.txt": "secret\n" });
		git(join(scene.home, "private"), "init", "--quiet");
		writeFileSync(join(scene.project, ".git", "commondir"), `${common}\n`);
		expect(await scene.repositories.planWorktree(threadId, scene.project)).toMatchObject({
			refused: expect.stringContaining(`leads to ${common}, where runs are not allowed to work`),
		});
	});

	it("may hold back an answer without end: it is ended after its time", async () => {
		await using scene = await editScene({ bounds: { treeMs: 1_500, callMs: 1_500 } });
		execFileSync("mkfifo", [join(scene.project, "sub", ".gitignore")]);
		rmSync(join(scene.project, ".git", "index"));
		const { notice } = await scene.runInFolder();
		expect(notice === undefined || notice.message.includes("took longer")).toBe(true);
	});

	it("may put a link where a folder was: nothing is written through it", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		write(directory, { "sub/c.txt": "by the run\n", "sub/new.txt": "n\n" });
		const outside = join(scene.home, "outside");
		write(outside, { "c.txt": "c\n" });
		rmSync(join(scene.project, "sub"), { recursive: true });
		symlinkSync(outside, join(scene.project, "sub"));
		const { seen } = await scene.list();
		await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject({ code: "EDITS_CONFLICT" });
		expect(contents(outside)).toEqual({ "c.txt": "c\n" });
	});

	it("may have its worktree's .git rewritten by an agent: the one that git made counts", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		const { program, wasRun } = trap(scene);
		const evil = join(scene.home, "evil");
		mkdirSync(evil);
		git(evil, "init", "--quiet");
		git(evil, "config", "core.fsmonitor", program);
		writeFileSync(join(directory, ".git"), `gitdir: ${evil}/.git\n`);
		write(directory, { "a.txt": "by the run\n" });
		const { seen, files } = await scene.list();
		expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
		const { branch } = await scene.methods.commit({ threadId, seen, message: "m" });
		expect(git(scene.project, "show", `${branch}:a.txt`)).toBe("by the run\n");
		expect(wasRun()).toBe(false);
	});
});
