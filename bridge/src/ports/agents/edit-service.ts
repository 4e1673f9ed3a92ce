import type { MethodParams, MethodResult, RunEdits, ThreadFolder, ThreadId } from "@xworkmate/contracts";
import type { RunRecord } from "../runs/run-record.ts";
import type { WorkspaceNotice } from "../runs/run-workspace.ts";

type Served = "list" | "diff" | "apply" | "discard" | "commit";

/** `xworkmate.edits.*`, one function for each method. Every refusal is a ContractError. */
export type EditService = {
	readonly [Name in Served]: (params: MethodParams<`xworkmate.edits.${Name}`>) => Promise<MethodResult<`xworkmate.edits.${Name}`>>;
};

export interface ThreadWorktree extends Pick<ThreadFolder, "ignored" | "repositories"> {
	readonly directory: string;
	readonly branch: string;
}

/** What a run needs from the git repositories that runs work in. */
export interface ProjectRepositories {
	/**
	 * Where a thread works in its own worktree, or would work if it got one. Creates no worktree.
	 * @param folder absolute real path, allowed
	 * @returns the reason and a fix if there can be no worktree
	 */
	planWorktree(
		threadId: ThreadId,
		folder: string,
	): Promise<{ readonly directory: string } | { readonly refused: string; readonly fix: string }>;
	/**
	 * Called before the agent starts: creates the worktree if the run has one, and records the state of the files.
	 * @throws ContractError if the worktree cannot be made
	 */
	begin(record: RunRecord): Promise<WorkspaceNotice | undefined>;
	/** True while the changes of the run are being recorded. */
	follows(record: Pick<RunRecord, "threadId" | "runId">): boolean;
	/**
	 * Called when the run's agent has ended, before its end is announced: records the state of the files, to distinguish the run's changes
	 * from later ones by the user. If an earlier bridge began the run, the user may have changed files while none was there, and that state
	 * is not recorded.
	 * Returns what changed since the run began, or that the changes are not known because the folder or its repository is missing; undefined
	 * if nothing changed, or if the run was not recorded.
	 */
	end(record: RunRecord): Promise<RunEdits | undefined>;
	/**
	 * The thread's worktree, if it has one. `ignored`, `repositories`: its files that git ignores, and the repositories inside it, neither of
	 * which `remove` commits; absent if that is not known.
	 */
	worktreeOf(threadId: ThreadId): Promise<ThreadWorktree | undefined>;
	/**
	 * Removes the records of a thread, and its worktree. Changes that were not applied are first committed to its branch. The branch is
	 * kept if it has commits of its own, and is then returned. `removeRest` removes what else the thread has on disk. If it fails, the records
	 * stay, so that a repeated removal returns the branch, too.
	 */
	remove(threadId: ThreadId, removeRest?: () => Promise<void>): Promise<string | undefined>;
}
