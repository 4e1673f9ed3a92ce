import { compare } from "../git/compare.ts";
import { GitError } from "../git/git-error.ts";
import type { OwnRepository } from "../git/own-repository.ts";
import type { EditState } from "./edit-state.ts";
import { differingPaths } from "./outside-edits.ts";

type Worktree = NonNullable<EditState["worktree"]>;

/** Where a worktree's changes begin: the commit of its branch, and the tree that its files are compared with. */
interface Beginning {
	readonly commit: string;
	readonly tree: string;
}

/**
 * Where the changes of a worktree begin that was created again on its branch because the earlier worktree is missing. What was committed on
 * the branch since the earlier worktree began, and was not applied, is still a change. The commit that the earlier worktree began with is
 * kept, so that the branch does not seem to have no commits of its own, and is not removed with the thread. What was applied from the
 * earlier worktree but never committed is left out, because the list would otherwise show a change that undoes it.
 * @param tree the tree of the branch's tip
 */
export async function continuedBeginning(
	own: OwnRepository,
	earlier: EditState,
	{ commit: first }: Worktree,
	tree: string,
): Promise<Beginning> {
	try {
		const committed = await differingPaths({ own, state: earlier }, first, tree);
		const differing = await compare(own, earlier.base, { tree, unread: [] }, earlier.directory);
		const kept = differing.filter(({ raw }) => committed.has(raw)).map(({ raw, from }) => ({ path: raw, entry: from }));
		return { commit: first, tree: await own.treeWith(tree, kept) };
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		// The earlier versions can't be read any more.
		return { commit: first, tree };
	}
}
