import { lstatSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const LINKS = { current: "a.txt", "sub/up": "../b.txt" };
const missing = (folder: string) =>
	Object.keys(LINKS).filter((path) => lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined);

/** A worktree of a repository with links, in which a run changed a file, without its links: a backup has none. */
async function restored(): Promise<EditScene & { readonly directory: string }> {
	const scene = await editScene();
	for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(scene.project, path));
	git(scene.project, "add", "--all");
	git(scene.project, "commit", "--quiet", "--message=links");
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n" });
	await scene.endRun();
	for (const path of Object.keys(LINKS)) rmSync(join(directory, path));
	return { ...scene, directory };
}

it("links that a backup left out are put back, so that applying the changes deletes none of the user's", async () => {
	await using scene = await restored();
	const next = scene.reopen();
	await next.afterInterruption(true, (error) => expect.unreachable(String(error)));
	const { seen, files } = await next.methods.list({ threadId });
	expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
	expect(readlinkSync(join(scene.directory, "sub/up"))).toBe("../b.txt");
	await next.methods.apply({ threadId, seen });
	expect(missing(scene.project)).toEqual([]);
});

it("so are those of a home that was restored elsewhere, and what has taken a link's place stays", async () => {
	await using scene = await restored();
	writeFileSync(join(scene.directory, "current"), "a file now\n");
	const copy = scene.reopenCopy();
	await copy.afterInterruption(true, (error) => expect.unreachable(String(error)));
	expect((await copy.methods.list({ threadId })).files.map(({ path, status }) => [path, status])).toEqual([
		["a.txt", "modified"],
		["current", expect.anything()],
	]);
});

it("a link that is deleted later, or in a home that was not restored, is a change", async () => {
	await using scene = await restored();
	const paths = async () => (await scene.methods.list({ threadId })).files.map(({ path }) => path);
	expect(await paths()).toEqual(["a.txt", "current", "sub/up"]);
	const next = scene.reopen();
	await next.afterInterruption(true, (error) => expect.unreachable(String(error)));
	expect((await next.methods.list({ threadId })).total).toBe(1);
	rmSync(join(scene.directory, "current"));
	expect((await next.methods.list({ threadId })).files.map(({ path }) => path)).toEqual(["a.txt", "current"]);
});

it("only links are put back: a file that a run deleted stays deleted", async () => {
	await using scene = await restored();
	rmSync(join(scene.directory, "b.txt"));
	const next = scene.reopen();
	await next.afterInterruption(true, (error) => expect.unreachable(String(error)));
	expect((await next.methods.list({ threadId })).files.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
});
