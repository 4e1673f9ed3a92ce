import { existsSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { notInFolder } from "../../src/edits/applied-edits.ts";
import { contents, type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const paths = async (scene: EditScene) => (await scene.list()).files.map(({ path }) => path);
const large = (letter: string) => `${letter.repeat(200)}\n`;

describe("a file that the agent committed and that a look does not read", () => {
	async function committed() {
		const scene = await editScene({ bounds: { fileBytes: 100 } });
		const { directory } = await scene.runInWorktree();
		write(directory, { "big.bin": large("b"), ".gitignore": "out/\n", "out/forced.txt": "f\n" });
		git(directory, "add", "--force", "big.bin", ".gitignore", "out/forced.txt");
		git(directory, "commit", "--quiet", "--message=by the agent");
		await scene.endRun();
		return { ...scene, directory };
	}

	it("is not said to be uncommitted, and keeps the rest from neither being committed nor being deleted with the thread", async () => {
		await using scene = await committed();
		const { files, uncommitted, branch = "" } = await scene.list();
		expect(uncommitted).toBe(0);
		expect(files.find(({ path }) => path === "big.bin")).toMatchObject({ hindrance: "too_large", committed: true });
		write(scene.directory, { "a.txt": "A\n", "out/forced.txt": "F\n" });
		const { seen } = await scene.list();
		expect(await scene.methods.commit({ threadId, seen, message: "m" })).toMatchObject({ files: 2 });
		write(scene.directory, { "b.txt": "B\n" });
		expect(await scene.repositories.remove(threadId)).toBe(branch);
		const show = (path: string) => git(scene.project, "show", `${branch}:${path}`);
		expect([show("big.bin"), show("out/forced.txt"), show("b.txt")]).toEqual([large("b"), "F\n", "B\n"]);
	});

	it("is named again if the rest of the thread could not be removed and the thread is deleted again", async () => {
		await using scene = await committed();
		const { branch = "" } = await scene.list();
		const removed = scene.repositories.remove(threadId, () => Promise.reject(new Error("no access")));
		await expect(removed).rejects.toThrow("no access");
		expect(existsSync(scene.directory)).toBe(false);
		expect(await scene.repositories.remove(threadId)).toBe(branch);
		expect(await scene.repositories.remove(threadId)).toBeUndefined();
	});

	it("is uncommitted once it has changed, and can't be committed", async () => {
		await using scene = await committed();
		write(scene.directory, { "big.bin": large("changed") });
		const { seen, uncommitted } = await scene.list();
		expect(uncommitted).toBe(1);
		await expect(scene.methods.commit({ threadId, seen, message: "m" })).rejects.toMatchObject({
			code: "EDITS_CONFLICT",
			detail: expect.stringContaining("big.bin"),
		});
	});
});

describe("more files than a look reads", () => {
	const many = Object.fromEntries(["1", "2", "3", "4", "5"].map((name) => [`many/${name}`, "m\n"]));

	it("are refused, without a word on what is committed", async () => {
		await using scene = await editScene({ bounds: { lookFiles: 4 } });
		await scene.runInFolder();
		write(scene.project, many);
		await expect(scene.list()).rejects.toMatchObject({
			code: "GIT_FAILED",
			message: expect.stringContaining(`ore than 4 files in ${scene.project} differ from what XWorkmate last read there`),
		});
	});
});

describe("what the user's folder has without an apply", () => {
	async function changed() {
		const scene = await editScene();
		const { directory } = await scene.runInWorktree();
		write(directory, { "a.txt": "A\n", "new.txt": "n\n" });
		await scene.endRun();
		return { ...scene, directory };
	}

	it("is not listed after a merge of the branch", async () => {
		await using scene = await changed();
		const { seen, branch = "" } = await scene.list();
		await scene.methods.commit({ threadId, seen, message: "m" });
		git(scene.project, "merge", "--quiet", branch);
		expect(await scene.list()).toMatchObject({ total: 0, files: [], uncommitted: 0 });
		const none = scene.methods.apply({ threadId, seen: (await scene.list()).seen });
		await expect(none).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
	});

	it("stays listed where the folder can't be read", async () => {
		await using scene = await changed();
		const bounds = { listFiles: 10, fileBytes: 100 };
		const own = { bounds, withIndex: () => Promise.reject(new Error("permission denied")) } as never;
		const files = [{ raw: "a.txt", edit: {}, from: undefined, to: undefined }] as never;
		expect(await notInFolder(own, scene.project, files)).toBe(files);
	});

	it("is not listed, applied or kept on the branch if the user copied it", async () => {
		await using scene = await changed();
		write(scene.project, { "a.txt": "A\n" });
		const { seen, branch = "" } = await scene.list();
		expect(await paths(scene)).toEqual(["new.txt"]);
		expect(await scene.methods.apply({ threadId, seen })).toEqual({ applied: ["new.txt"] });
		await expect(scene.methods.apply({ threadId, seen, paths: ["a.txt"] })).rejects.toMatchObject({ code: "EDITS_CHANGED" });
		expect(await scene.repositories.remove(threadId)).toBeUndefined();
		expect(git(scene.project, "branch", "--list", branch)).toBe("");
		expect(contents(scene.project)).toMatchObject({ "a.txt": "A\n", "new.txt": "n\n" });
	});

	it("does not include a file that is too large to compare", async () => {
		await using scene = await editScene({ bounds: { fileBytes: 100 } });
		const { directory } = await scene.runInWorktree();
		write(directory, { "big.bin": large("b") });
		await scene.endRun();
		expect(await paths(scene)).toEqual(["big.bin"]);
	});
});
