import type { Attachment, RunEdits, RunId, ThreadFolder, ThreadId } from "@xworkmate/contracts";
import type { RunRecord } from "./run-record.ts";

export interface WorkspaceNotice {
	readonly code: string;
	readonly message: string;
}

/** The directories of one turn, ready for use. Absolute paths. */
export interface PreparedWorkspace {
	readonly workingDirectory: string;
	readonly artifactDirectory: string;
	readonly attachments: readonly { readonly path: string; readonly name: string; readonly mediaType: string }[];
	/** Folders outside the scope that the artifact contract names; all below the working directory. */
	readonly extraDirectories: readonly string[];
	/** What the user should know, such as that the requested directory is not used. */
	readonly notices: readonly WorkspaceNotice[];
}

/** Where a run works, chosen once when its turn is accepted, so that later changes to the allowed roots do not move the run. */
export type DirectoryChoice = Pick<RunRecord, "projectDirectory" | "directoryRefused" | "worktree">;

/** The working directories of runs on this machine. */
export interface RunWorkspace {
	/**
	 * Chooses where a run works.
	 * @param requested the turn's `workingDirectory`
	 * @param worktreeOf the thread, if it is to work in a worktree of its own
	 * @throws ContractError WORKING_DIRECTORY_REFUSED if a worktree can't be created
	 */
	choose(requested: string | undefined, worktreeOf?: ThreadId): Promise<DirectoryChoice>;
	/**
	 * Checks the bytes and keeps them until the turn runs.
	 * @throws ContractError INVALID_PARAMS, PAYLOAD_TOO_LARGE
	 */
	storeAttachments(runId: RunId, attachments: readonly Attachment[]): Promise<void>;
	/**
	 * Creates the run's scope, empty, and places its attachments.
	 * @param isBegun true if the run has worked before, so that the folder no longer has its initial content
	 */
	prepare(record: RunRecord, isBegun?: boolean): Promise<PreparedWorkspace>;
	/** The folders of the run that hold files which it may have written, its scope first. Absolute paths. */
	writtenIn(record: RunRecord, startedAt: number): Promise<readonly string[]>;
	/**
	 * True if anything in the run's folders may have changed since the run began, even if it was only deleted, or if that can't be determined.
	 * Never rejects.
	 */
	mayHaveChanged(record: RunRecord, startedAt: number): Promise<boolean>;
	/** Removes the run's scope, because its program is run again and will write its files again. */
	empty(record: RunRecord): Promise<void>;
	/** True if the run worked in the bridge's own workspace, which was and is empty, so that `leave` has nothing to do. */
	leavesNothing(record: RunRecord, workspace: Pick<PreparedWorkspace, "workingDirectory">): boolean;
	/**
	 * Called when the run's agent has ended, before the run itself does: records what the run left in the user's folder. Returns the known
	 * changes since the run began to files in its working folder but outside its scope, or the reason they aren't known, such as a missing
	 * folder; undefined if no change is known.
	 */
	leave(record: RunRecord): Promise<RunEdits | undefined>;
	/** Returns the same directories without creating anything, for a run that continues after a restart. */
	locate(record: RunRecord): Promise<PreparedWorkspace>;
	/** Removes the stored attachments of a run that has ended or was never accepted. */
	removeInputs(runId: RunId): Promise<void>;
	/**
	 * Removes the bridge's own workspace of a thread, its worktree, and its scopes in users' folders that its runs worked in.
	 * @throws ContractError FOLDER_NOT_REMOVED
	 */
	removeThread(threadId: ThreadId, projectDirectories: readonly string[]): Promise<string | undefined>;
	/** What `removeThread` would remove, as far as it exists. */
	threadFolders(threadId: ThreadId, projectDirectories: readonly string[]): Promise<readonly ThreadFolder[]>;
}
