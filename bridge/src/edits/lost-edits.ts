import { existsSync } from "node:fs";
import { ContractError, type RunEdits } from "@xworkmate/contracts";
import type { EditState } from "./edit-state.ts";

/** Says that it isn't known what changed during a run, because the thread's folder or repository is missing; undefined if both exist. */
export function lostEdits(state: EditState): RunEdits | undefined {
	const { place, directory } = state;
	const unknown = whatIsGone(state);
	return unknown && { place, directory, files: [], total: 0, unknown };
}

/** Refuses a request about a thread's changes, because the thread's folder or repository is missing; undefined if both exist. */
export function lostRefusal(state: EditState): ContractError | undefined {
	const { directory, common, checkout, worktree } = state;
	switch (whatIsGone(state)) {
		case "folder_gone":
			if (worktree === undefined) {
				const detail = `The folder that this thread's runs worked in no longer exists: ${directory}`;
				return new ContractError("EDITS_UNAVAILABLE", { detail, fix: "Put the folder back, or run the thread in another folder." });
			}
			return new ContractError("EDITS_UNAVAILABLE", {
				detail: `This thread's worktree is no longer at ${directory}. Unless it was moved, its uncommitted changes are lost.`,
				fix: `Check the branch ${worktree.branch} in ${checkout} for committed changes. The thread's next run with a worktree gets a new worktree on that branch, or on a new branch if another worktree has that one checked out.`,
			});
		case "repository_gone":
			return new ContractError("EDITS_UNAVAILABLE", {
				detail: `The git repository that this thread's files are compared with no longer exists: ${common}`,
				fix: "Put the repository back, or run the thread in another folder.",
			});
		case undefined:
			return undefined;
	}
}

/** Refuses a request about the changes of a thread that has no record of them here. A thread without a run has none either. */
export function unrecorded(state: EditState | undefined): ContractError {
	const detail =
		state === undefined
			? "There is no record of this thread's runs in a git repository. Changes in a folder that isn't in one can't be listed."
			: "This data folder doesn't have the thread's worktree, so there is nothing to compare its files with.";
	return new ContractError("EDITS_UNAVAILABLE", { detail });
}

function whatIsGone({ directory, common }: EditState): "folder_gone" | "repository_gone" | undefined {
	if (!existsSync(directory)) return "folder_gone";
	return existsSync(common) ? undefined : "repository_gone";
}
