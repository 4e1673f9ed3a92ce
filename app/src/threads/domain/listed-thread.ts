import type { TurnId } from "@xworkmate/contracts";
import type { Thread, Turn } from "./thread.ts";

/** A thread as a list shows it, without its position in the queue. */
export interface ListedThread
	extends Pick<Thread, "threadId" | "title" | "lifecycleStatus" | "lastResultCode" | "lastResultDetail" | "createdAt" | "updatedAt"> {
	readonly lastArtifactSyncStatus?: Thread["lastArtifactSyncStatus"];
	readonly pendingTurnId?: TurnId;
	/** The newest turn, without its files. */
	readonly lastTurn?: Omit<Turn, "syncedPaths">;
	readonly turnCount: number;
	/** Number of the current run's files in the thread's folder. */
	readonly fileCount: number;
	/** The beginning of the newest prompt, at most 200 characters. */
	readonly preview: string;
	/** The agent of the newest turn. */
	readonly providerId?: string;
	/** The beginning of the newest turn's answer, at most 200 characters; absent before its end. */
	readonly answer?: string;
	/**
	 * Of what the newest turn's run was to do through tools: something was not done, or no one knows whether it was. `unverified`: it was,
	 * but its answer claims what no receipt backs, the bridge wrote the answer instead, or the agent reports that it did what it was not
	 * allowed to.
	 */
	readonly lacking?: "undone" | "unknown" | "unverified";
	/** The folder it works in, if that is a project folder. */
	readonly workingDirectory?: string;
	/** Files that its runs delivered into the thread's folder, by name. */
	readonly artifactCount: number;
	/** Files of the newest run that the bridge has, whether or not they were saved. */
	readonly collectedCount: number;
	/** One of the current run's files in the thread's folder. */
	readonly firstFile?: string;
	readonly hasDraft: boolean;
	/** Number of messages queued in this thread. */
	readonly queuedCount: number;
	/** Number of those that are being edited, or that stay until the user resumes the queue. Absent = none. */
	readonly editedCount?: number;
}
