import { z } from "zod";
import { RunId, Timestamp } from "../ids/ids.ts";

/** What happened to a file in the folder where a run worked. */
export const EditStatus = z.enum(["added", "modified", "deleted"]);
export type EditStatus = z.infer<typeof EditStatus>;

/**
 * Why a changed file is only listed, and cannot be shown, applied or discarded: it is too large, its name is not UTF-8, or git stores it in
 * another form through one of the repository's filter programs, which are never run.
 */
export const EditHindrance = z.enum(["too_large", "name", "filtered"]);
export type EditHindrance = z.infer<typeof EditHindrance>;

/**
 * Why discarding a changed file could lose the user's own work: something other than the thread's runs changed it too, or it isn't known
 * what the runs left in it.
 */
export const EditOutside = z.enum(["changed", "unknown"]);
export type EditOutside = z.infer<typeof EditOutside>;

/**
 * What has become of a file that was applied and that the user's folder no longer has as it was applied. `undone`: the folder has it as it
 * was before, so that it can be applied again. `changed`: the folder has something else, so applying it is refused.
 */
export const EditApplied = z.enum(["undone", "changed"]);
export type EditApplied = z.infer<typeof EditApplied>;

/** One changed file. The line counts are absent if the file is binary or only listed. */
export const Edit = z.object({
	/** Relative to the top folder of the repository, separated by '/'. An agent chose it, so it may contain control characters. */
	path: z.string().min(1),
	status: EditStatus,
	addedLines: z.int().min(0).optional(),
	removedLines: z.int().min(0).optional(),
	binary: z.literal(true).optional(),
	/** True: the file is, or was, a symbolic link, whose content is the path of its target. */
	link: z.literal(true).optional(),
	/** Present: the file's mode changed, and the file is now executable (true) or no longer executable (false). */
	executable: z.boolean().optional(),
	hindrance: EditHindrance.optional(),
	/** Present: discarding the change is refused. */
	outside: EditOutside.optional(),
	/**
	 * True: the worktree's branch has the file in this state, but the user's folder does not, as far as it could be compared. Only in a list
	 * of all runs.
	 */
	committed: z.literal(true).optional(),
	/** Present: the file in the worktree is as it was applied, but the user's folder no longer has it. Only in a list of all runs. */
	applied: EditApplied.optional(),
});
export type Edit = z.infer<typeof Edit>;

/** Which files are compared: those of the thread's own worktree, or those of the user's folder. */
export const EditPlace = z.enum(["worktree", "folder"]);
export type EditPlace = z.infer<typeof EditPlace>;

/** Files that an action should have written but did not, and that still differ. */
export const UnfinishedEdit = z.object({
	action: z.enum(["apply", "discard"]),
	/**
	 * `changed`: something else changed the files while they were being written. `interrupted`: the action was cut short, and the files had
	 * changed by the time it was finished; or it was not finished, because the home was restored from a backup. Absent: `failed`, or recorded
	 * by an earlier version.
	 */
	why: z.enum(["changed", "interrupted"]).optional(),
	/** True: one of the files could not be written, and none after it was. Not a value of `why`, because earlier versions don't know it. */
	failed: z.literal(true).optional(),
	files: z.array(z.string()),
});
export type UnfinishedEdit = z.infer<typeof UnfinishedEdit>;

/** The id of a git tree: what a folder held at one moment. */
export const TreeId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
export type TreeId = z.infer<typeof TreeId>;

/**
 * Until when the list of one run has changes. `end`: the run's end. `still`: the run's end, without files that have since returned to their
 * earlier state; for the last run. `next`: the beginning of the next run, because the run's end was not recorded. `now`: the comparison,
 * because the run is active, or because it is the last one and its end was not recorded.
 */
export const EditsUntil = z.enum(["end", "still", "next", "now"]);
export type EditsUntil = z.infer<typeof EditsUntil>;

/** The changed files of a thread. */
export const EditList = z.object({
	place: EditPlace,
	/** The top folder of the user's repository. */
	checkout: z.string(),
	/** The top folder of the files that are compared: the checkout itself, or the thread's worktree. */
	directory: z.string(),
	/** The worktree's branch, to which its changes are committed. */
	branch: z.string().optional(),
	/** Present: the worktree is not on its own branch. `branch`: the branch that it is on; absent: none. */
	elsewhere: z.object({ branch: z.string().optional() }).optional(),
	/**
	 * The id of the git tree with the files' contents at the time of the comparison. An action that passes this id applies only to files that
	 * have not changed since.
	 */
	seen: TreeId,
	/** The runs that can be selected, oldest first, each with the time at which it began. */
	runs: z.array(z.object({ runId: RunId, at: Timestamp })),
	/**
	 * When the record of the thread's changes in the user's folder began. It begins anew when the thread returns from another repository.
	 * Absent: with a worktree, or if an earlier version recorded it.
	 */
	since: Timestamp.optional(),
	/** Only in a list of one run. */
	until: EditsUntil.optional(),
	files: z.array(Edit),
	/**
	 * How many of the worktree's files differ from its branch, including applied changes. Absent: there is no worktree, or the list is of one
	 * run.
	 */
	uncommitted: z.int().min(0).optional(),
	/** How many files changed. It exceeds the length of `files` if there are too many to list. */
	total: z.int().min(0),
	unfinished: UnfinishedEdit.optional(),
	/**
	 * The git repositories inside the folder, such as clones and submodules, which are not compared. At most five are named, by their path.
	 * Those that git ignores are left out, because no ignored file is compared. Absent: there are none, or an earlier bridge didn't look.
	 */
	repositories: z.object({ count: z.int().min(1), paths: z.array(z.string()).max(5) }).optional(),
});
export type EditList = z.infer<typeof EditList>;

/** How one file changed. */
export const EditDiff = z.object({
	file: Edit,
	/** A unified diff without its header: lines that begin with '@@', ' ', '+', '-' or '\'. Empty if nothing can be shown. */
	text: z.string(),
	/** True: the text was cut off at the end of a line. */
	truncated: z.boolean(),
});
export type EditDiff = z.infer<typeof EditDiff>;

/** How many changed files the end of a run lists. */
export const LISTED_EDITS = 20;

/**
 * Why it isn't known what changed in a run's folder: the folder, or the git repository that it was compared through, no longer exists or
 * could not be read.
 */
export const EditsUnknown = z.enum(["folder_gone", "repository_gone", "unreadable"]);
export type EditsUnknown = z.infer<typeof EditsUnknown>;

/**
 * The known changes in a run's folder since the run began, no matter who made them. Contains at least one file that changed or may have, or
 * why the changes are not known.
 */
export const RunEdits = z
	.object({
		/** `workspace`: the bridge's own folder of the thread, for a run without a project folder. */
		place: z.enum(["worktree", "folder", "workspace"]),
		/** Absolute, on the bridge's machine. The paths are relative to this folder. */
		directory: z.string(),
		/** At most `LISTED_EDITS`, by path. */
		files: z.array(Edit.pick({ path: true, status: true })),
		/** How many files changed. */
		total: z.int().min(0),
		/**
		 * Files that may have changed, and that neither `files` nor `total` includes: each was written but has the size that it had, and what it
		 * held before isn't known. At most `LISTED_EDITS` paths, and the number of all. Only in a folder outside of git repositories.
		 */
		unsure: z.object({ paths: z.array(z.string()), total: z.int().min(1) }).optional(),
		/**
		 * Present: no file is listed, because it isn't known what changed. Also present if there is nothing but `unsure`, which a reader of an
		 * earlier version drops.
		 */
		unknown: EditsUnknown.optional(),
		/** True: the run's agent ended with an earlier bridge, so what changed after that, until the next bridge looked, is listed too. */
		late: z.literal(true).optional(),
	})
	.refine(({ total, unknown }) => total > 0 || unknown !== undefined, "must list a changed file, or say why the changes are not known");
export type RunEdits = z.infer<typeof RunEdits>;
