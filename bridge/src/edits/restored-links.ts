import { joinRecords, pathText, splitRecords } from "../git/git-paths.ts";
import type { OwnRepository } from "../git/own-repository.ts";
import { type EditFolder, type EditState, editFolders } from "./edit-state.ts";
import { isFree } from "./files-now.ts";

/**
 * Must be called at startup if the home was restored from a backup, which has no links: without them, a worktree seems to have lost them,
 * and applying its changes would delete the user's. `onFault`: called for a record that can't be read.
 * @throws errors of the file system if it can't be noted, because the links would then stay away for ever
 */
export function noteMissingLinks(editsFolder: string, onFault: (error: unknown) => void): void {
	for (const folder of editFolders(editsFolder)) if (isWorktree(folder, onFault)) folder.noteLinks(false);
}

function isWorktree(folder: EditFolder, onFault: (error: unknown) => void): boolean {
	try {
		return folder.state()?.worktree !== undefined;
	} catch (error) {
		onFault(error);
		return false;
	}
}

/**
 * Puts back the links that the worktree had when it was last looked at. Nothing that is there is replaced, and git writes none behind
 * another link. A link that the user deleted after the last run comes back too, because nothing recorded that.
 * @throws GitError if a link can't be written
 */
export async function putBackLinks(own: OwnRepository, state: EditState): Promise<void> {
	const { directory, left, runs, base } = state;
	const last = runs.at(-1);
	const held = left ?? last?.end?.tree ?? last?.look.tree ?? base.tree;
	await own.withIndex(async (index) => {
		await own.run({ args: ["read-tree", held], index });
		const call = { index, workTree: directory, timeMs: own.bounds.treeMs };
		// Submodules are skipped, because git would start itself in each, with its configuration.
		const compared = ["--ignore-submodules=all", "--no-ext-diff", "--no-textconv"];
		const { output } = await own.run({ ...call, args: ["diff-files", "--raw", "-z", "--diff-filter=D", ...compared] });
		const fields = splitRecords(output);
		const lost = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.startsWith(":120000 "));
		// git stops at the first link that can't be written, so those whose place is taken are left out before.
		const links = lost.filter((path) => pathText(path).isWhole && isFree(directory, path));
		if (links.length > 0) await own.run({ ...call, args: ["checkout-index", "-q", "-z", "--stdin"], input: joinRecords(links) });
	});
}
