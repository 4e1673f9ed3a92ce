import { type RawPath, splitRecords } from "../git/git-paths.ts";
import type { OpenEdits } from "./edit-homes.ts";

/**
 * Files that something other than the thread's runs changed since the base; "unknown" if they can't be distinguished from the runs'
 * changes.
 */
export type Outside = ReadonlySet<RawPath> | "unknown";

/**
 * Which files of `now` hold changes that are not from the thread's runs. While a run is active, its own changes can't be distinguished from
 * others, so only changes from before the run count.
 */
export async function outsideOf(open: OpenEdits, now: string): Promise<Outside> {
	const { base, left, outside = [], working } = open.state;
	const differing = await differingPaths(open, base.tree, now);
	if (differing.size === 0) return new Set();
	if (outside === "unknown" || (left === undefined && working === undefined)) return "unknown";
	const since = left === undefined ? [] : await differingPaths(open, left, now);
	return new Set([...outside, ...since].filter((path) => differing.has(path)));
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
