import fs, { existsSync, readdirSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

/** Until disposed, no file is renamed to a path that ends with `name`, as in a folder that belongs to another user. */
function withoutPermission(name: string): Disposable {
	const { renameSync } = fs;
	const set = (rename: typeof renameSync) => {
		fs.renameSync = rename;
		syncBuiltinESMExports();
	};
	set((from, to) => {
		if (!String(to).endsWith(`/${name}`)) return renameSync(from, to);
		const message = `EACCES: permission denied, rename '${from}' -> '${to}'`;
		throw Object.assign(new Error(message), { errno: -13, code: "EACCES", syscall: "rename" });
	});
	return { [Symbol.dispose]: () => set(renameSync) };
}

/** A worktree in which one file was deleted and two were written. */
async function edited(): Promise<EditScene> {
	const scene = await editScene();
	const { directory } = await scene.runInWorktree();
	rmSync(join(directory, "b.txt"));
	write(directory, { "a.txt": "A\n", "new.txt": "n\n" });
	await scene.endRun();
	return scene;
}

it("a file that can't be written is named by its path, with what was written; the rest is never written later", async () => {
	await using scene = await edited();
	const { seen } = await scene.list();
	{
		using _refused = withoutPermission("new.txt");
		await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject({
			code: "EDITS_CONFLICT",
			detail: "2 of 3 files were written, then: new.txt can't be written: permission denied. Not written: new.txt.",
		});
	}
	const left = { "a.txt": "A\n", "sub/c.txt": "c\n" };
	const unfinished = { action: "apply", failed: true, files: ["new.txt"] };
	expect(await scene.list()).toMatchObject({ total: 1, unfinished });
	const next = scene.reopen();
	await next.afterInterruption(false, (error) => expect.unreachable(String(error)));
	expect(await next.methods.list({ threadId })).toMatchObject({ total: 1, unfinished });
	expect(contents(scene.project)).toEqual(left);
	await next.methods.apply({ threadId, seen });
	expect(contents(scene.project)).toEqual({ ...left, "new.txt": "n\n" });
	expect(await scene.list()).not.toHaveProperty("unfinished");
});

it("a folder in which nothing can be prepared is named, and nothing is written, then or later", async () => {
	await using scene = await edited();
	const before = contents(scene.project);
	const { seen } = await scene.list();
	write(scene.project, { ".xworkmate": "a file" });
	await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject({
		code: "EDITS_CONFLICT",
		detail: `Nothing was written. ${scene.project}/.xworkmate is a link or a file, not a directory.`,
	});
	rmSync(join(scene.project, ".xworkmate"));
	await scene.list();
	expect(contents(scene.project)).toEqual(before);
});

it("what an earlier bridge left, and the next one couldn't finish, is not written by a look at the list or by deleting the thread", async () => {
	await using scene = await edited();
	const before = contents(scene.project);
	const [session = ""] = readdirSync(join(scene.bridgeHome, "edits"));
	const journal = join(scene.bridgeHome, "edits", session, "journal.json");
	const { directory } = await scene.list();
	const to = { mode: "100644", id: git(directory, "hash-object", "new.txt").trim() };
	const interrupt = () => {
		const files = [{ raw: "new.txt", to }];
		write(scene.bridgeHome, {
			[`edits/${session}/journal.json`]: JSON.stringify({ action: "apply", root: "/p", stage: "edits-1", files }),
		});
	};
	interrupt();
	scene.state.isBusy = true;
	expect(await scene.list()).toMatchObject({ total: 3, unfinished: { action: "apply", failed: true, files: ["new.txt"] } });
	expect(existsSync(journal)).toBe(false);
	expect(contents(scene.project)).toEqual(before);
	interrupt();
	await scene.repositories.remove(threadId);
	expect(contents(scene.project)).toEqual(before);
});

it("a run's change of a file that a later run changed again is refused for that, and not as if something else had", async () => {
	await using scene = await editScene();
	const { runId } = await scene.runInFolder();
	write(scene.project, { "a.txt": "first\n" });
	await scene.endRun();
	await scene.runInFolder();
	write(scene.project, { "a.txt": "second\n" });
	await scene.endRun();
	const { seen } = await scene.list(runId);
	await expect(scene.methods.discard({ threadId, seen, runId })).rejects.toMatchObject({
		code: "EDITS_CONFLICT",
		detail: "Nothing was written, because this file has changed since the changes that are listed: a.txt.",
	});
});

it("once all is applied or discarded, it says that nothing is left for that, not that no files have changed", async () => {
	await using scene = await edited();
	await scene.methods.apply({ threadId, seen: (await scene.list()).seen });
	const { seen } = await scene.list();
	const refused = (detail: string) => ({ code: "EDITS_UNAVAILABLE", detail });
	await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject(refused("No changes are left to apply."));
	await expect(scene.methods.discard({ threadId, seen })).rejects.toMatchObject(refused("No changes are left to discard."));
});
