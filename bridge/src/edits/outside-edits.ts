import { type RawPath, splitRecords } from "../git/git-paths.ts";
import type { OpenEdits } from "./edit-homes.ts";
import { ignoredBy, isRules } from "./ignore-rules.ts";

/** Files that something other than the thread's runs changed since the base; "unknown" if they can't be distinguished from the runs' changes. */
export type Outside = OutsideFiles | "unknown";

interface OutsideFiles {
	readonly changed: ReadonlySet<RawPath>;
	/** Files that git ignored when the last run ended: who changed them since the base is not known. */
	readonly unknown: ReadonlySet<RawPath>;
}

export const nothingOutside: OutsideFiles = { changed: new Set(), unknown: new Set() };

/**
 * Which files of `now` hold changes that are not from the thread's runs. While a run is active, its own changes can't be distinguished from
 * others, so only changes from before the run count.
 */
export async function outsideOf(open: OpenEdits, now: string): Promise<Outside> {
	const { base, left, outside = [], working } = open.state;
	const differing = await differingPaths(open, base.tree, now);
	if (differing.size === 0) return nothingOutside;
	if (outside === "unknown" || (left === undefined && working === undefined)) return "unknown";
	const since = left === undefined ? new Set<RawPath>() : await differingPaths(open, left, now);
	const unknown = left === undefined ? new Set<RawPath>() : await unreadIn(open, left, now, since);
	const changed = [...outside, ...since].filter((path) => differing.has(path) && !unknown.has(path));
	return { changed: new Set(changed), unknown };
}

/** Files that git ignored when the last run ended, and that are listed now. */
async function unreadIn(open: OpenEdits, left: string, now: string, since: ReadonlySet<RawPath>): Promise<ReadonlySet<RawPath>> {
	const { own, state } = open;
	if (state.ignoredUnread) return new Set(await addedPaths(open, left, now));
	// Without a change of a `.gitignore`, no file is listed that was ignored before.
	return [...since].some(isRules) ? await ignoredBy(own, left, await addedPaths(open, left, now)) : new Set();
}

/** The paths that a tree has and an earlier one does not. */
async function addedPaths({ own, state }: OpenEdits, before: string, now: string): Promise<readonly RawPath[]> {
	const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", before, now];
	return splitRecords((await own.run({ args, workTree: state.directory, timeMs: own.bounds.treeMs })).output);
}

/** The paths at which two trees, or the trees of two commits, differ. */
export async function differingPaths(
	{ own, state }: Pick<OpenEdits, "own" | "state">,
	one: string,
	other: string,
): Promise<ReadonlySet<RawPath>> {
	const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", one, other];
	return new Set(splitRecords((await own.run({ args, workTree: state.directory, timeMs: own.bounds.treeMs })).output));
}
