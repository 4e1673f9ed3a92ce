import type { OwnRepository } from "../git/own-repository.ts";
import { type EditState, editFolders } from "./edit-state.ts";

/**
 * Must be called at startup if the home was restored from a backup, which has no links: without those that the repository tracks, a worktree
 * seems to have lost them, and applying its changes would delete the user's.
 */
export function noteMissingLinks(editsFolder: string, onFault: (error: unknown) => void): void {
	for (const folder of editFolders(editsFolder)) {
		try {
			if (folder.state()?.worktree !== undefined) folder.noteLinks(false);
		} catch (error) {
			onFault(error);
		}
	}
}

/**
 * Puts back the links that the compared tree has and the worktree does not. Nothing that is there is replaced, and git writes none behind
 * another link. A link that a run had deleted comes back too: the backup can't tell the two apart.
 */
export async function putBackLinks(own: OwnRepository, { base, directory }: EditState): Promise<void> {
	await own.withIndex(async (index) => {
		await own.run({ args: ["read-tree", base.tree], index });
		const call = { index, workTree: directory, timeMs: own.bounds.treeMs };
		const { output } = await own.run({ ...call, args: ["diff-files", "--raw", "-z", "--diff-filter=D"] });
		const fields = output.toString("latin1").split("\0");
		const links = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.startsWith(":120000 "));
		if (links.length === 0) return;
		const input = Buffer.from(links.map((path) => `${path}\0`).join(""), "latin1");
		// A link whose place is taken meanwhile is left out, with an exit code of its own.
		await own.run({ ...call, args: ["checkout-index", "-q", "-z", "--stdin"], input, accepts: [0, 1, 128] });
	});
}
