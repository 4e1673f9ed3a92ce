import { rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { contents, editScene, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

it("names every file that was applied meanwhile, from another window, and asks for no other spelling", async () => {
	await using scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n", "new.txt": "n\n" });
	rmSync(join(directory, "b.txt"));
	await scene.endRun();
	const { seen } = await scene.list();
	await scene.methods.apply({ threadId, seen, paths: ["a.txt", "b.txt"] });
	await expect(scene.methods.apply({ threadId, seen, paths: ["a.txt", "b.txt", "new.txt"] })).rejects.toMatchObject({
		code: "EDITS_CHANGED",
		detail: "Nothing was written, because these files were already applied, or are the same in your folder: a.txt, b.txt.",
		fix: "Choose from the changes that are left.",
	});
	expect(contents(scene.project)).toEqual({ "a.txt": "A\n", "sub/c.txt": "c\n" });
	expect(await scene.methods.apply({ threadId, seen, paths: ["new.txt"] })).toEqual({ applied: ["new.txt"] });
});

it("names a file that never was in the list as that, also beside one that was applied", async () => {
	await using scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n" });
	await scene.endRun();
	const { seen } = await scene.list();
	await scene.methods.apply({ threadId, seen });
	await expect(scene.methods.apply({ threadId, seen, paths: ["a.txt", "sub/c.txt", "typed wrong"] })).rejects.toMatchObject({
		code: "NOT_FOUND",
		detail: "These files are not in the list of changes: sub/c.txt, typed wrong.",
	});
});

it("discards a link in the place of a folder together with the files that the folder had", async () => {
	await using scene = await editScene();
	await scene.runInFolder();
	rmSync(join(scene.project, "sub"), { recursive: true });
	symlinkSync("/tmp", join(scene.project, "sub"));
	await scene.endRun();
	const { seen, files } = await scene.list();
	expect(files.map(({ path, status }) => [path, status])).toEqual([
		["sub", "added"],
		["sub/c.txt", "deleted"],
	]);
	await expect(scene.methods.discard({ threadId, seen, paths: ["sub/c.txt"] })).rejects.toMatchObject({
		code: "EDITS_CONFLICT",
		detail: "Nothing was written, because sub is where the folder of sub/c.txt should be.",
	});
	await scene.methods.discard({ threadId, seen, paths: ["sub", "sub/c.txt"] });
	expect(contents(scene.project)).toEqual({ "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n" });
});

it("writes nothing through a link that the user put in the place of a folder, and says what is where", async () => {
	await using scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, { "sub/c.txt": "C\n", "a.txt": "A\n" });
	await scene.endRun();
	rmSync(join(scene.project, "sub"), { recursive: true });
	symlinkSync(join(scene.home, "home"), join(scene.project, "sub"));
	const { seen } = await scene.list();
	await expect(scene.methods.apply({ threadId, seen })).rejects.toMatchObject({
		code: "EDITS_CONFLICT",
		detail: expect.stringContaining("sub/c.txt"),
	});
	unlinkSync(join(scene.project, "sub"));
	expect(contents(scene.project)).toEqual({ "a.txt": "a\n", "b.txt": "b\n" });
});
