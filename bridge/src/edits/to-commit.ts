import { join } from "node:path";
import { GitError } from "../git/git-error.ts";
import { type RawPath, splitRecords } from "../git/git-paths.ts";
import type { Look } from "../git/look.ts";
import type { OwnRepository, TreeEntry } from "../git/own-repository.ts";
import type { OpenEdits } from "./edit-homes.ts";
import { filesNow } from "./files-now.ts";
import { differingPaths } from "./outside-edits.ts";

/** What a commit to a worktree's branch would contain. */
export interface ToCommit {
	readonly tree: string;
	/** The files that it would change. */
	readonly changed: ReadonlySet<RawPath>;
	/** Files that can't be committed, because they can't be read, and that the branch does not have as they are. */
	readonly unread: ReadonlySet<RawPath>;
}

/**
 * Compares the worktree with the tip of its branch. A look lacks what it does not read: what is too large, and what git ignores. An agent
 * may have committed such files with git, so they are not taken for deleted.
 */
export async function toCommit({ own, state }: Pick<OpenEdits, "own" | "state">, tip: string, now: Look): Promise<ToCommit> {
	const { worktree, directory } = state;
	const removed = await removedSince(own, tip, now.tree);
	const committed = removed.size === 0 || !worktree ? new Set<RawPath>() : await asCommitted(own, directory, worktree.administration, tip);
	const unread = new Set(now.unread.map(({ path }) => path));
	const others = [...removed.keys()].filter((path) => !committed.has(path) && !unread.has(path));
	const there = await filesNow(own, directory, others);
	const changes = [
		...[...removed].flatMap(([path, entry]) => (committed.has(path) ? [{ path, entry }] : [])),
		...[...there].flatMap(([path, file]) => (file.kind === "file" ? [{ path, entry: file.entry }] : [])),
	];
	const tree = changes.length === 0 ? now.tree : await own.treeWith(now.tree, changes);
	const missing = unread.difference(new Set(removed.keys()).intersection(committed));
	return { tree, changed: await differingPaths({ own, state }, tip, tree), unread: missing };
}

/** The paths that only the first tree has, with its entries. */
async function removedSince(own: OwnRepository, one: string, other: string): Promise<ReadonlyMap<RawPath, TreeEntry>> {
	const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--diff-filter=D", one, other];
	const records = splitRecords((await own.run({ args, timeMs: own.bounds.treeMs })).output);
	const removed = new Map<RawPath, TreeEntry>();
	for (let at = 0; at + 1 < records.length; at += 2) {
		// `:<mode> <mode> <id> <id> <status>`, then the path.
		const [mode = "", , id = ""] = (records[at] ?? "").slice(1).split(" ");
		removed.set(records[at + 1] ?? "", { mode, id });
	}
	return removed;
}

/** The paths that the commit has, and that have not changed since according to the index of the worktree's own git. */
async function asCommitted(own: OwnRepository, workTree: string, administration: string, commit: string): Promise<ReadonlySet<RawPath>> {
	const call = { workTree, index: join(administration, "index"), timeMs: own.bounds.treeMs };
	const names = ["-z", "--name-only", "--ignore-submodules=all", "--no-ext-diff"];
	try {
		const { output: all } = await own.run({ ...call, args: ["ls-tree", "-r", "-z", "--name-only", commit] });
		const { output: staged } = await own.run({ ...call, args: ["diff-index", "--cached", "--no-renames", ...names, commit] });
		const { output: changed } = await own.run({ ...call, args: ["diff-files", ...names] });
		return new Set(splitRecords(all)).difference(new Set([...splitRecords(staged), ...splitRecords(changed)]));
	} catch (error) {
		// An index in a form that needs further files can't be read from here.
		if (error instanceof GitError) return new Set();
		throw error;
	}
}
