import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

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
		await next.finishInterrupted((error) => faults.push(error));
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
		await next.finishInterrupted(() => undefined);
		expect(contents(scene.project)).toEqual({ "a.txt": "mine\n", "b.txt": "B\n", "new.txt": "n\n", "sub/c.txt": "c\n" });
		const list = await next.methods.list({ threadId });
		expect(list).toMatchObject({ total: 1, unfinished: { action: "apply", files: ["a.txt"] } });
	});

	it("are written before anything else is done with the thread", async () => {
		await using scene = await cutShort([]);
		expect(await scene.methods.list({ threadId })).toMatchObject({ total: 0 });
		expect(contents(scene.project)).toMatchObject(made);
	});
});
