import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const LINKS = { current: "a.txt", "sub/up": "../b.txt" };

interface Restored extends EditScene {
	readonly directory: string;
}

/** A worktree of a repository with links, in which a run did `work`, without any links: a backup has none. */
async function restored(work: (directory: string) => void = () => undefined): Promise<Restored> {
	const scene = await editScene();
	for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(scene.project, path));
	git(scene.project, "add", "--all");
	git(scene.project, "commit", "--quiet", "--message=links");
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n" });
	work(directory);
	await scene.endRun();
	removeLinks(directory);
	return { ...scene, directory };
}

function removeLinks(directory: string): void {
	const links = Object.entries(contents(directory)).filter(([, content]) => content.startsWith("-> "));
	for (const [path] of links) rmSync(join(directory, path));
}

function replaceWithLink(directory: string, path: string, target: string): void {
	rmSync(join(directory, path), { recursive: true, force: true });
	symlinkSync(target, join(directory, path));
}

/** The bridge in the restored home. */
async function reopened(scene: EditScene) {
	const next = scene.reopen();
	await next.afterInterruption(true, (error) => expect.unreachable(String(error)));
	return next;
}

it("links that a backup left out are put back, so that applying the changes deletes none of the user's", async () => {
	await using scene = await restored();
	const next = await reopened(scene);
	const { seen, files } = await next.methods.list({ threadId });
	expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
	expect(readlinkSync(join(scene.directory, "sub/up"))).toBe("../b.txt");
	await next.methods.apply({ threadId, seen });
	const there = contents(scene.project);
	expect(Object.keys(LINKS).map((path) => there[path])).toEqual(["-> a.txt", "-> ../b.txt"]);
});

it("what a run did to links is the same change after the restore", async () => {
	await using scene = await restored((directory) => {
		replaceWithLink(directory, "current", "b.txt");
		rmSync(join(directory, "sub/up"));
		symlinkSync("a.txt", join(directory, "made"));
		replaceWithLink(directory, "b.txt", "a.txt");
	});
	const next = await reopened(scene);
	const { files, seen } = await next.methods.list({ threadId });
	expect(files.map(({ path, status, outside }) => [path, status, outside])).toEqual([
		["a.txt", "modified", undefined],
		["b.txt", "modified", undefined],
		["current", "modified", undefined],
		["made", "added", undefined],
		["sub/up", "deleted", undefined],
	]);
	await next.methods.apply({ threadId, seen });
	expect(contents(scene.project)).toEqual({
		...{ "a.txt": "A\n", "b.txt": "-> a.txt", "sub/c.txt": "c\n" },
		...{ current: "-> b.txt", made: "-> a.txt" },
	});
});

it("so are those of a home that was restored elsewhere, and what has taken a link's place stays", async () => {
	await using scene = await restored((directory) => {
		mkdirSync(join(directory, "lib"));
		symlinkSync("../a.txt", join(directory, "lib/one"));
		symlinkSync("a.txt", join(directory, "zlink"));
	});
	mkdirSync(join(scene.directory, "current"));
	writeFileSync(join(scene.directory, "current/file"), "a folder now\n");
	rmSync(join(scene.directory, "lib"), { recursive: true });
	writeFileSync(join(scene.directory, "lib"), "a file now\n");
	const copy = scene.reopenCopy();
	await copy.afterInterruption(true, (error) => expect.unreachable(String(error)));
	expect((await copy.methods.list({ threadId })).files.map(({ path, status }) => [path, status])).toEqual([
		["a.txt", "modified"],
		["current", "deleted"],
		["current/file", "added"],
		["lib", "added"],
		["zlink", "added"],
	]);
});

it("a link that is deleted later, or in a home that was not restored, is a change", async () => {
	await using scene = await restored();
	const paths = async () => (await scene.methods.list({ threadId })).files.map(({ path }) => path);
	expect(await paths()).toEqual(["a.txt", "current", "sub/up"]);
	const next = await reopened(scene);
	expect((await next.methods.list({ threadId })).total).toBe(1);
	rmSync(join(scene.directory, "current"));
	expect((await next.methods.list({ threadId })).files.map(({ path }) => path)).toEqual(["a.txt", "current"]);
});

it("only links are put back: a file that is gone stays deleted", async () => {
	await using scene = await restored();
	rmSync(join(scene.directory, "b.txt"));
	const next = await reopened(scene);
	expect((await next.methods.list({ threadId })).files.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
});

it.each(["a filter of its own", "an empty .git"])("a repository inside the worktree is left alone, with %s", async (how) => {
	await using scene = await editScene();
	const ran = join(scene.home, "ran");
	symlinkSync("a.txt", join(scene.project, "current"));
	git(scene.project, "init", "--quiet", "mod");
	write(scene.project, { "mod/file": "x\n" });
	git(join(scene.project, "mod"), "add", "--all");
	git(join(scene.project, "mod"), "commit", "--quiet", "--message=nested");
	git(scene.project, "-c", "advice.addEmbeddedRepo=false", "add", "--all");
	git(scene.project, "commit", "--quiet", "--message=with a repository inside");
	const { directory } = await scene.runInWorktree();
	const nested = join(directory, "mod");
	if (how === "an empty .git") mkdirSync(join(nested, ".git"), { recursive: true });
	else {
		mkdirSync(nested, { recursive: true });
		git(nested, "init", "--quiet");
		git(nested, "config", "filter.x.clean", `sh -c 'echo > "${ran}"; cat'`);
		write(nested, { ".gitattributes": "* filter=x\n", file: "x\n" });
		git(nested, "add", "--all");
		// Of the same size, so that git has to read it.
		write(nested, { file: "y\n" });
		rmSync(ran, { force: true });
	}
	await scene.endRun();
	removeLinks(directory);
	const next = await reopened(scene);
	await next.methods.list({ threadId });
	expect(readlinkSync(join(directory, "current"))).toBe("a.txt");
	expect(lstatSync(ran, { throwIfNoEntry: false })).toBeUndefined();
});
