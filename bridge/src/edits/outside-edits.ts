import type { RunId } from "@xworkmate/contracts";
import { type RawPath, splitRecords } from "../git/git-paths.ts";
import type { OpenEdits } from "./edit-homes.ts";
import type { EditFolder, EditState } from "./edit-state.ts";
import { ignoredBy, isRules } from "./ignore-rules.ts";

/** Files that something other than the thread's runs changed since the base; "unknown" if they can't be distinguished from the runs' changes. */
export type Outside = OutsideFiles | "unknown";

interface OutsideFiles {
	readonly changed: ReadonlySet<RawPath>;
	/**
	 * Files of which it is not known who has changed them since the base, because git ignored them when a run ended, or because they changed
	 * after the beginning of a run whose end was not recorded.
	 */
	readonly unknown: ReadonlySet<RawPath>;
}

/**
 * The maximum number of files changed outside of the thread's runs that its record names. If there are more, it says that all files are
 * unknown.
 */
const MAX_OUTSIDE = 10_000;

export const nothingOutside: OutsideFiles = { changed: new Set(), unknown: new Set() };

/**
 * Which files of `now` hold changes that are not from the thread's runs. While a run is active, its own changes can't be distinguished from
 * others, so only changes from before the run count.
 */
export async function outsideOf(open: OpenEdits, now: string): Promise<Outside> {
	const { base, left, outside = [], outsideUnknown = [], working, runs } = open.state;
	const differing = await differingPaths(open, base.tree, now);
	if (differing.size === 0) return nothingOutside;
	if (outside === "unknown") return "unknown";
	if (left === undefined && working === undefined) {
		// Any file that has changed since the last run began may have been changed by something other than that run. The others are what
		// the record of that beginning says, which an earlier version did not keep.
		const began = open.state.outside === undefined ? undefined : runs.at(-1)?.look.tree;
		const since = began === undefined ? differing : differing.intersection(await differingPaths(open, began, now));
		const changed = new Set(outside.filter((path) => differing.has(path)));
		const unknown = new Set(outsideUnknown.filter((path) => differing.has(path)));
		return { changed, unknown: unknown.union(since).difference(changed) };
	}
	const since = left === undefined ? new Set<RawPath>() : await differingPaths(open, left, now);
	const unread = left === undefined ? new Set<RawPath>() : await unreadIn(open, left, now, since);
	const changed = new Set([...outside, ...since].filter((path) => differing.has(path) && !unread.has(path)));
	const unknown = [...outsideUnknown, ...unread].filter((path) => differing.has(path) && !changed.has(path));
	return { changed, unknown: new Set(unknown) };
}

/** What a thread's record keeps of `found` when a run begins. */
export function recordOf(found: Outside): Pick<EditState, "outside" | "outsideUnknown"> {
	if (found === "unknown" || found.changed.size + found.unknown.size > MAX_OUTSIDE) return { outside: "unknown", outsideUnknown: [] };
	return { outside: [...found.changed], outsideUnknown: [...found.unknown] };
}

/**
 * Must be called if the beginning of a run in a recorded folder is not recorded: what the run writes there would differ from what the
 * previous one left, as if the user had written it.
 */
export function forgetLeft(folder: EditFolder, runId: RunId, projectDirectory: string): void {
	const recorded = readableState(folder);
	// A run that continues after its bridge ended was recorded then.
	if (recorded === undefined || recorded.working === runId || !`${projectDirectory}/`.startsWith(`${recorded.directory}/`)) return;
	const { left: _left, working: _working, unreadRules: _rules, ...state } = recorded;
	folder.write(state);
}

/** Undefined also for a record that can't be read: nothing is compared with it either, and the run must begin. */
function readableState(folder: EditFolder): EditState | undefined {
	try {
		return folder.state();
	} catch {
		return undefined;
	}
}

/** Files that git ignored when the last run ended, and that are listed now. */
async function unreadIn(open: OpenEdits, left: string, now: string, since: ReadonlySet<RawPath>): Promise<ReadonlySet<RawPath>> {
	const { own, state } = open;
	const { unreadRules, leftPatterns } = state;
	// With other patterns outside of the work tree, it isn't known which of the files that are new to the list were ignored then.
	if (leftPatterns !== undefined && leftPatterns !== own.patterns) return new Set(await addedPaths(open, left, now));
	// If `left` contains the files that the run made git ignore, no listed file was ignored before, unless a `.gitignore` has changed.
	if (unreadRules === undefined && ![...since].some(isRules)) return new Set();
	const added = await addedPaths(open, left, now);
	const ignored = await ignoredBy(own, left, added);
	// Discarding a `.gitignore` puts its earlier version into `left`; `unreadRules` still contains the version that the run left.
	return unreadRules === undefined || unreadRules === left ? ignored : ignored.union(await ignoredBy(own, unreadRules, added));
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
