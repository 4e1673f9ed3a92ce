import { expect, it, vi } from "vitest";
import { type EditScene, editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

type Worktree = EditScene & { readonly directory: string; readonly own: string };

function commitThere(directory: string): void {
	write(directory, { "a.txt": "A\n" });
	git(directory, "commit", "--quiet", "--all", "--message=there");
}

/** A worktree in which a run has left its branch, and in which a file is not committed. */
async function left(leave: (directory: string) => void): Promise<Worktree> {
	const scene = await editScene();
	const { directory } = await scene.runInWorktree();
	const own = git(directory, "branch", "--show-current").trim();
	leave(directory);
	write(directory, { "new.txt": "n\n" });
	await scene.endRun();
	return { ...scene, directory, own };
}

const paths = async (scene: EditScene) => (await scene.list()).files.map(({ path }) => path);

function onSide(directory: string): void {
	git(directory, "switch", "--quiet", "-c", "side");
	commitThere(directory);
}

function onNone(directory: string): void {
	git(directory, "switch", "--quiet", "--detach");
	commitThere(directory);
}

function onUnborn(directory: string): void {
	commitThere(directory);
	git(directory, "switch", "--quiet", "--orphan", "bare");
}

function onOlder(directory: string): void {
	git(directory, "commit", "--quiet", "--allow-empty", "--message=own");
	git(directory, "switch", "--quiet", "-c", "old", "HEAD~1");
	commitThere(directory);
}

it.each([
	["another branch", onSide, { branch: "side" }],
	["no branch", onNone, {}],
	["a branch without a commit", onUnborn, { branch: "bare" }],
	["a branch that does not have everything of its own", onOlder, { branch: "old" }],
])("a worktree on %s is listed as that, and the way back that a refused commit names loses no change", async (_name, leave, elsewhere) => {
	await using scene = await left(leave);
	const [before, { seen, ...list }] = [await paths(scene), await scene.list()];
	expect([list.branch, list.elsewhere]).toEqual([scene.own, elsewhere]);
	const tip = git(scene.project, "rev-parse", scene.own).trim();
	const refused: unknown = await scene.methods.commit({ threadId, seen, message: "m" }).catch((error: unknown) => error);
	expect(refused).toMatchObject({ code: "EDITS_CONFLICT", fix: expect.stringContaining(scene.directory) });
	const fix = refused instanceof Error && "fix" in refused ? String(refused.fix) : "";
	for (const [, command = ""] of fix.matchAll(/`git ([^`]+)`/g)) git(scene.directory, ...command.split(" "));
	expect((await scene.list()).elsewhere).toBeUndefined();
	expect(await paths(scene)).toEqual(before);
	await scene.methods.commit({ threadId, seen: (await scene.list()).seen, message: "m" });
	expect(git(scene.project, "show", `${scene.own}:new.txt`)).toBe("n\n");
	expect(git(scene.project, "log", "--format=%H", scene.own)).toContain(tip);
});
