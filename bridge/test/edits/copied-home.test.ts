import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { verifyEdits } from "../../src/edits/verify-edits.ts";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

/** Everything that belongs to the first home's worktree. */
function untouched({ project }: EditScene, directory: string) {
	return {
		files: contents(directory),
		link: readFileSync(join(directory, ".git"), "utf8"),
		status: git(directory, "status", "--porcelain=v2", "--branch"),
		log: git(directory, "log", "--format=%H"),
		mine: contents(project),
	};
}

/** A home with a worktree in which a run changed two files, one of which was applied. */
async function worked(): Promise<EditScene & { readonly directory: string }> {
	const scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n", "new.txt": "n\n" });
	await scene.endRun();
	const { seen } = await scene.list();
	await scene.methods.apply({ threadId, seen, paths: ["a.txt"] });
	return { ...scene, directory };
}

describe("the changes of a thread in a copy of a home", () => {
	it("are listed, shown and discarded in the user's folder, although the copy has no empty folders", async () => {
		await using scene = await editScene();
		await scene.runInFolder();
		write(scene.project, { "a.txt": "A\n" });
		await scene.endRun();
		const { methods, bridgeHome } = scene.reopenCopy();
		const [session = ""] = readdirSync(join(bridgeHome, "edits"));
		const [own = ""] = readdirSync(join(bridgeHome, "edits", session)).filter((name) => name.startsWith("repository-"));
		expect(existsSync(join(bridgeHome, "edits", session, own, "refs"))).toBe(false);
		expect(await methods.list({ threadId })).toMatchObject({ total: 1, files: [{ path: "a.txt", status: "modified" }] });
		expect((await methods.diff({ threadId, path: "a.txt" })).text).toContain("+A");
		const { seen } = await methods.list({ threadId });
		expect(await methods.discard({ threadId, seen })).toEqual({ discarded: ["a.txt"] });
	});

	it("do not name a tracked file that is ignored as deleted, if the copy has no index", async () => {
		await using scene = await editScene({ files: { ".gitignore": "*.log\n", "a.txt": "a\n" } });
		write(scene.project, { "kept.log": "k\n" });
		git(scene.project, "add", "--force", "kept.log");
		git(scene.project, "commit", "--quiet", "--message=log");
		await scene.runInFolder();
		write(scene.project, { "a.txt": "A\n" });
		const { methods, bridgeHome } = scene.reopenCopy();
		const edits = join(bridgeHome, "edits");
		for (const path of readdirSync(edits, { recursive: true, encoding: "utf8" })) {
			if (path.endsWith("/index")) rmSync(join(edits, path));
		}
		expect((await methods.list({ threadId })).files.map(({ path }) => path)).toEqual(["a.txt"]);
	});

	it("are those of a worktree of its own, on a branch of its own, and the first home's stay as they are", async () => {
		await using scene = await worked();
		const before = untouched(scene, scene.directory);
		const { branch: first } = await scene.list();
		const copy = scene.reopenCopy();
		const { directory, branch, files, seen } = await copy.methods.list({ threadId });
		expect(directory.startsWith(join(copy.bridgeHome, "worktrees"))).toBe(true);
		expect(branch).toBe(`${first}-2`);
		expect(files.map(({ path }) => path)).toEqual(["new.txt"]);
		expect(git(directory, "branch", "--show-current").trim()).toBe(branch);
		expect(git(directory, "status", "--porcelain")).toBe(" M a.txt\n?? new.txt\n");
		await copy.methods.commit({ threadId, seen, message: "in the copy" });
		expect(git(scene.project, "show", `${branch}:new.txt`)).toBe("n\n");
		await copy.methods.discard({ threadId, seen });
		expect(untouched(scene, scene.directory)).toEqual(before);
		expect(await scene.list()).toMatchObject({ total: 1, branch: first });
	});

	it("continue from what was committed before the copy, and not from what was committed after it", async () => {
		await using scene = await worked();
		const commit = async (message: string) => {
			const { seen } = await scene.list();
			return (await scene.methods.commit({ threadId, seen, message })).commit;
		};
		const early = await commit("before");
		const copy = scene.reopenCopy();
		const { directory } = await copy.methods.list({ threadId });
		expect(git(directory, "rev-parse", "HEAD").trim()).toBe(early);
		expect(git(directory, "status", "--porcelain")).toBe("");
	});

	it("list what was committed and applied before the copy, once it is undone", async () => {
		await using scene = await worked();
		const { seen } = await scene.list();
		await scene.methods.commit({ threadId, seen, message: "before" });
		await scene.methods.apply({ threadId, seen });
		const copy = scene.reopenCopy();
		expect(await copy.methods.list({ threadId })).toMatchObject({ total: 0 });
		git(scene.project, "reset", "--quiet", "--hard");
		git(scene.project, "clean", "--quiet", "-fd");
		const { files } = await copy.methods.list({ threadId });
		expect(files).toMatchObject([
			{ path: "a.txt", applied: "undone" },
			{ path: "new.txt", applied: "undone" },
		]);
	});
});

describe("a verification of the records of changes", () => {
	it("finds nothing wrong with a record that is intact, and names one that git does not recognise", async () => {
		await using scene = await worked();
		const problems: string[] = [];
		const verify = async (bridgeHome: string) => {
			return await verifyEdits(bridgeHome, process.env.PATH, {
				problem: (message) => problems.push(message),
				gone: () => undefined,
				read: () => undefined,
			});
		};
		expect(await verify(scene.bridgeHome)).toBe(1);
		expect(problems).toEqual([]);
		const copy = scene.reopenCopy();
		await verify(copy.bridgeHome);
		expect(problems.splice(0)).toEqual([
			expect.stringMatching(/edits\/thread-1-\w+ can't be used: git rev-parse failed: .*not a git repository/),
		]);
		await copy.methods.list({ threadId });
		await verify(copy.bridgeHome);
		expect(problems).toEqual([]);
	});

	it("claims nothing without git", async () => {
		await using scene = await worked();
		const problems: string[] = [];
		const found = { problem: (message: string) => problems.push(message), gone: () => undefined, read: () => undefined };
		expect(await verifyEdits(scene.bridgeHome, "/nonexistent", found)).toBeNull();
		expect(problems).toEqual([]);
	});

	it("names one whose objects or whose repository are gone, and one that can't be read", async () => {
		await using scene = await worked();
		const folder = join(scene.bridgeHome, "edits", readdirSync(join(scene.bridgeHome, "edits"))[0] ?? "");
		const problems: string[] = [];
		const verify = async () => {
			await verifyEdits(scene.bridgeHome, process.env.PATH, {
				problem: (message) => problems.push(message),
				gone: () => undefined,
				read: () => undefined,
			});
			return problems.splice(0).join();
		};
		const owns = readdirSync(folder).filter((name) => name.startsWith("repository-"));
		for (const name of owns) {
			const objects = join(folder, name, "objects");
			for (const below of readdirSync(objects).filter((one) => /^[0-9a-f]{2}$/.test(one)))
				rmSync(join(objects, below), { recursive: true });
		}
		expect(await verify()).toContain("is missing a version that the thread's files are compared with, or a part of it.");
		for (const name of owns) rmSync(join(folder, name), { recursive: true });
		expect(await verify()).toContain("is missing its repository.");
		write(folder, { "state.json": "{" });
		expect(await verify()).toContain("can't be read");
	});
});

describe("a run in a copy of a home", () => {
	it("works in the copy's own worktree, with the files that were copied", async () => {
		await using scene = await worked();
		const before = untouched(scene, scene.directory);
		const copy = scene.reopenCopy();
		const { run, directory, notice } = await copy.runInWorktree();
		expect(notice).toBeUndefined();
		expect(directory.startsWith(join(copy.bridgeHome, "worktrees"))).toBe(true);
		expect(contents(directory)).toMatchObject({ "a.txt": "A\n", "new.txt": "n\n" });
		write(directory, { "later.txt": "l\n" });
		expect(await copy.repositories.end(run)).toMatchObject({ place: "worktree", directory, total: 1 });
		expect(untouched(scene, scene.directory)).toEqual(before);
	});

	it("gets a new worktree if the files were not copied, and not the first home's branch", async () => {
		await using scene = await worked();
		const before = untouched(scene, scene.directory);
		const copy = scene.reopenCopy();
		rmSync(join(copy.bridgeHome, "worktrees"), { recursive: true });
		await expect(copy.methods.list({ threadId })).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
		const { directory } = await copy.runInWorktree();
		expect(contents(directory)).toMatchObject({ "a.txt": "a\n" });
		expect(git(directory, "branch", "--show-current")).toMatch(/-2\n$/);
		expect(untouched(scene, scene.directory)).toEqual(before);
	});

	it("that waited when the copy was made is refused, and does not work in the first home's worktree", async () => {
		await using scene = await worked();
		const run = scene.lastRun();
		if (run === undefined) throw new Error("No run has begun.");
		const { repositories, bridgeHome } = scene.reopenCopy();
		await expect(repositories.begin(run)).rejects.toMatchObject({
			code: "WORKING_DIRECTORY_REFUSED",
			fix: expect.stringContaining(bridgeHome),
		});
	});

	it("is refused if the repository is gone, with what to do", async () => {
		await using scene = await worked();
		const copy = scene.reopenCopy();
		rmSync(join(scene.project, ".git"), { recursive: true });
		git(join(scene.project, ".."), "init", "--quiet");
		await expect(copy.methods.list({ threadId })).rejects.toMatchObject({
			code: "REPOSITORY_REFUSED",
			message: expect.stringContaining(copy.bridgeHome),
			fix: expect.stringContaining("Put the repository back there"),
		});
	});
});

describe("a thread that is deleted in a copy of a home", () => {
	it.each([true, false])("leaves the first home's worktree and branch as they are; its own files copied: %s", async (isCopied) => {
		await using scene = await worked();
		const before = untouched(scene, scene.directory);
		const copy = scene.reopenCopy();
		if (!isCopied) rmSync(join(copy.bridgeHome, "worktrees"), { recursive: true });
		const { directory } = (await copy.repositories.worktreeOf(threadId)) ?? {};
		expect(directory?.startsWith(join(copy.bridgeHome, "worktrees"))).toBe(true);
		await copy.repositories.remove(threadId);
		expect(existsSync(directory ?? "")).toBe(false);
		expect(untouched(scene, scene.directory)).toEqual(before);
		expect(await scene.list()).toMatchObject({ total: 1 });
		const kept = git(scene.project, "branch", "--list", "xworkmate/*-2").trim();
		expect(kept === "").toBe(!isCopied);
	});
});
