import { existsSync, readdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const made = { "a.txt": "A\n", "b.txt": "B\n", "new.txt": "n\n" };

/** As the disk is when a bridge ended while it applied: the journal is there, and some of the files. */
async function cutShort(written: readonly (keyof typeof made)[]): Promise<EditScene & { readonly journal: string }> {
	const scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, made);
	await scene.list();
	const [session = ""] = readdirSync(join(scene.bridgeHome, "edits"));
	const journal = join(scene.bridgeHome, "edits", session, "journal.json");
	const entry = (folder: string, path: string) => ({ mode: "100644", id: git(folder, "hash-object", path).trim() });
	const files = Object.keys(made).map((path) => ({
		raw: path,
		...(existsSync(join(scene.project, path)) && { from: entry(scene.project, path) }),
		to: entry(directory, path),
	}));
	write(scene.project, Object.fromEntries(written.map((path) => [path, made[path]])));
	write(scene.project, { ".xworkmate/edits-left/new.txt": "half" });
	writeFileSync(journal, JSON.stringify({ action: "apply", root: scene.project, stage: "edits-left", files }));
	return { ...scene, journal };
}

describe("files that were being applied when the bridge ended", () => {
	it.each<[string, readonly (keyof typeof made)[]]>([
		["none was written", []],
		["some were written", ["b.txt"]],
		["all were written, and nothing was noted of it", ["a.txt", "b.txt", "new.txt"]],
	])("are all written by the next one if %s", async (_, written) => {
		await using scene = await cutShort(written);
		const faults: unknown[] = [];
		const next = scene.reopen();
		await next.afterInterruption(false, (error) => faults.push(error));
		expect(faults).toEqual([]);
		expect(contents(scene.project)).toEqual({ ...made, "sub/c.txt": "c\n" });
		expect(existsSync(scene.journal)).toBe(false);
		expect(await next.methods.list({ threadId })).not.toHaveProperty("unfinished");
		expect(await next.methods.list({ threadId })).toMatchObject({ total: 0 });
	});

	it("are left if the user changed them in the meantime, and the list says which", async () => {
		await using scene = await cutShort(["b.txt"]);
		write(scene.project, { "a.txt": "mine\n" });
		const next = scene.reopen();
		await next.afterInterruption(false, () => undefined);
		expect(contents(scene.project)).toEqual({ "a.txt": "mine\n", "b.txt": "B\n", "new.txt": "n\n", "sub/c.txt": "c\n" });
		const list = await next.methods.list({ threadId });
		expect(list).toMatchObject({ total: 1, unfinished: { action: "apply", why: "interrupted", files: ["a.txt"] } });
	});

	it("are left in a home that was restored from a backup, and the list says which", async () => {
		await using scene = await cutShort(["b.txt"]);
		const mine = contents(scene.project);
		const next = scene.reopen();
		await next.afterInterruption(true, () => undefined);
		expect(contents(scene.project)).toEqual(mine);
		expect(existsSync(scene.journal)).toBe(false);
		const list = await next.methods.list({ threadId });
		expect(list).toMatchObject({ unfinished: { action: "apply", why: "interrupted", files: ["a.txt", "new.txt"] } });
	});

	it("are no longer named once they match, even if they differ again later", async () => {
		await using scene = await cutShort(["b.txt"]);
		write(scene.project, { "a.txt": "mine\n", "new.txt": "mine\n" });
		const next = scene.reopen();
		await next.afterInterruption(false, () => undefined);
		const named = async () => (await next.methods.list({ threadId })).unfinished?.files;
		expect(await named()).toEqual(["a.txt", "new.txt"]);
		write(scene.project, { "a.txt": "A\n" });
		expect(await named()).toEqual(["new.txt"]);
		write(scene.project, { "a.txt": "mine again\n", "new.txt": made["new.txt"] });
		expect(await named()).toBeUndefined();
		write(scene.project, { "new.txt": "mine again\n" });
		expect(await named()).toBeUndefined();
	});

	it("stay named while other files are applied, until they are applied too", async () => {
		await using scene = await cutShort(["b.txt"]);
		write(scene.project, { "a.txt": "mine\n" });
		const next = scene.reopen();
		await next.afterInterruption(false, () => undefined);
		const { directory, ...list } = await next.methods.list({ threadId });
		expect(list.unfinished?.files).toEqual(["a.txt"]);
		write(directory, { "later.txt": "l\n" });
		const seen = async () => (await next.methods.list({ threadId })).seen;
		await next.methods.apply({ threadId, seen: await seen(), paths: ["later.txt"] });
		expect((await next.methods.list({ threadId })).unfinished?.files).toEqual(["a.txt"]);
		write(scene.project, { "a.txt": "a\n" });
		await next.methods.apply({ threadId, seen: await seen() });
		expect(await next.methods.list({ threadId })).not.toHaveProperty("unfinished");
	});
});

describe("files that change while they are being applied", () => {
	it("are left and named, and not as if the bridge had ended", async () => {
		await using scene = await editScene();
		const { directory } = await scene.runInWorktree();
		write(directory, made);
		const { seen } = await scene.list();
		// The bridge's folder appears once the files were looked at, and before the first of them is replaced.
		const watcher = watch(scene.project, () => {
			// Its own write would be seen too.
			watcher.close();
			write(scene.project, { "a.txt": "saved in an editor\n" });
		});
		const applied = scene.methods.apply({ threadId, seen });
		await expect(applied).rejects.toMatchObject({ code: "EDITS_CONFLICT", detail: expect.stringContaining("2 of 3 files were written") });
		expect(contents(scene.project)).toMatchObject({ ...made, "a.txt": "saved in an editor\n" });
		expect((await scene.list()).unfinished).toEqual({ action: "apply", why: "changed", files: ["a.txt"] });
	});
});
