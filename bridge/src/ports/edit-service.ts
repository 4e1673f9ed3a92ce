import type { MethodParams, MethodResult, ThreadId } from "@xworkmate/contracts";
import type { RunRecord } from "./run-record.ts";
import type { WorkspaceNotice } from "./run-workspace.ts";

type Served = "list" | "diff" | "apply" | "discard" | "commit";

/** `xworkmate.edits.*`, one function for each method. Every refusal is a ContractError. */
export type EditService = {
	readonly [Name in Served]: (params: MethodParams<`xworkmate.edits.${Name}`>) => Promise<MethodResult<`xworkmate.edits.${Name}`>>;
};

/** The git repositories that runs work in, as far as a run needs them. */
export interface ProjectRepositories {
	/**
	 * Where a thread works if it is to have a worktree of its own. Makes nothing yet.
	 * @param folder absolute real path, allowed
	 * @returns undefined with the reason if it can't have one
	 */
	planWorktree(
		threadId: ThreadId,
		folder: string,
	): Promise<{ readonly directory: string } | { readonly refused: string; readonly fix: string }>;
	/**
	 * Before the agent starts: makes the worktree if the run has one, and notes what the files are.
	 * @throws ContractError if the worktree can't be made
	 */
	begin(record: RunRecord): Promise<WorkspaceNotice | undefined>;
	/** Removes what is kept of a thread, and its worktree. Changes that were not applied are committed to its branch first, which stays. */
	remove(threadId: ThreadId): Promise<void>;
}
