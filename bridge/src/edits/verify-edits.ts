import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { errorMessage } from "@xworkmate/platform/errors";
import { gitBounds } from "../git/git-bounds.ts";
import { GitError } from "../git/git-error.ts";
import { runGit } from "../git/run-git.ts";
import { editsIn, ownPath } from "./edit-homes.ts";
import { EditFolder, type EditState } from "./edit-state.ts";

interface Found {
	readonly problem: (message: string) => void;
	/** Called with a folder or a git repository that no longer exists, so that what a thread changed there can't be listed. */
	readonly gone: (path: string) => void;
	/** Called after each record, with how many have been read and how many there are. */
	readonly read: (records: number, of: number) => void;
}

/**
 * Checks each thread's record of changes: that it can be read, that the files and both repositories exist, that git recognizes the bridge's
 * own repository, and that it contains every version that a list of changes reads. Changes nothing. Returns how many records were checked,
 * or null if there are records but git was not found.
 */
export async function verifyEdits(
	bridgeHome: string,
	searchPath: string | undefined,
	{ problem, gone, read }: Found,
): Promise<number | null> {
	const folder = editsIn(bridgeHome);
	const names = existsSync(folder) ? readdirSync(folder) : [];
	let records = 0;
	for (const name of names) {
		const record = new EditFolder(join(folder, name));
		try {
			const found = await wrongWith(record, bridgeHome, searchPath);
			// The thread may have been deleted in the meantime.
			if (found !== undefined && record.isThere) {
				if ("gone" in found) gone(found.gone);
				else problem(`The record of changes in ${record.path} ${found.wrong}.`);
			}
		} catch (error) {
			// Without git, neither this record nor the others can be checked.
			if (!(error instanceof GitError) || error.problem !== "missing") throw error;
			return null;
		}
		records += 1;
		read(records, names.length);
	}
	return records;
}

/** `wrong`: the rest of a sentence about the record. */
type Unusable = { readonly wrong: string } | { readonly gone: string };

/** Undefined if nothing is wrong with the record. */
async function wrongWith(record: EditFolder, bridgeHome: string, searchPath: string | undefined): Promise<Unusable | undefined> {
	let state: EditState | undefined;
	try {
		state = record.state();
	} catch (error) {
		return { wrong: `can't be read: ${errorMessage(error)}` };
	}
	if (state === undefined) return undefined;
	// In a copied home, the record still names the original home's worktree.
	const files = state.worktree === undefined ? state.directory : join(bridgeHome, "worktrees", basename(record.path));
	const gone = [files, state.common].find((path) => !existsSync(path));
	if (gone !== undefined) return { gone };
	const repository = ownPath(record, state.directory);
	if (!existsSync(repository)) return { wrong: "is missing its repository" };
	try {
		const { code } = await runGit({
			...{ args: ["rev-list", "--objects", "--quiet", "--stdin"], folder: repository, environment: { GIT_DIR: repository }, searchPath },
			...{ input: versionsOf(state).join("\n"), timeMs: gitBounds.checkoutMs, outputBytes: gitBounds.outputBytes, accepts: [0, 128] },
		});
		if (code === 0) return undefined;
		// git exits with the same code if it does not recognize the repository. In that case, this call throws.
		await runGit({
			...{ args: ["rev-parse", "--git-dir"], folder: repository, environment: { GIT_DIR: repository }, searchPath },
			...{ timeMs: gitBounds.callMs, outputBytes: gitBounds.outputBytes },
		});
		return { wrong: "is missing a version that the thread's files are compared with, or a part of it" };
	} catch (error) {
		if (!(error instanceof GitError) || error.problem === "missing") throw error;
		return { wrong: `${error.problem === "slow" ? "couldn't be verified" : "can't be used"}: ${error.message}` };
	}
}

/** The trees that lists of changes read, whether of all runs or of one. */
function versionsOf({ base, left, unreadRules, runs, worktree }: EditState): readonly string[] {
	const began = worktree && `${worktree.commit}^{tree}`;
	const trees = [base.tree, left, unreadRules, began, ...runs.flatMap(({ look, end }) => [look.tree, end?.tree])];
	return [...new Set(trees.filter((tree) => tree !== undefined))];
}
