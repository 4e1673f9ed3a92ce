import { z } from "zod";

/**
 * What a folder is to its thread. `workspace`: where the agents work if no folder is chosen. `worktree`: the thread's worktree of a git
 * repository. `project`: the bridge's part of a user's folder, `.xworkmate/tasks/<session>`.
 */
export const ThreadFolderKind = z.enum(["workspace", "worktree", "project"]);
export type ThreadFolderKind = z.infer<typeof ThreadFolderKind>;

/** A folder on the bridge's computer that is deleted with its thread. */
export const ThreadFolder = z.object({
	kind: ThreadFolderKind,
	/** Absolute. */
	path: z.string(),
	/** How many files it has, including those in its subfolders, without the file that makes a folder a worktree (`.git`). */
	files: z.int().min(0),
	/** True: the folder has more files than were counted. */
	more: z.literal(true).optional(),
	/** For a worktree: the branch to which changes that the user's folder doesn't have are committed before the worktree is deleted. */
	branch: z.string().optional(),
	/** For a worktree: its files that git ignores, which are not committed. Absent: not known. */
	ignored: z.object({ files: z.int().min(0), more: z.literal(true).optional() }).optional(),
	/**
	 * For a worktree: the git repositories inside it, which are not committed and are deleted with it. At most five are named, by their path
	 * in the worktree. Absent: there are none, or it is not known.
	 */
	repositories: z.object({ count: z.int().min(1), paths: z.array(z.string()).max(5) }).optional(),
});
export type ThreadFolder = z.infer<typeof ThreadFolder>;
