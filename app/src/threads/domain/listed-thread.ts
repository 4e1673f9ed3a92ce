import type { Lacking, TurnId, Unpermitted } from "@xworkmate/contracts";
import type { Thread, Turn } from "./thread.ts";
import type { ThreadMarks } from "./thread-marks.ts";

/** A thread as a list shows it, without its position in the queue. */
export interface ListedThread
	extends Pick<Thread, "threadId" | "title" | "lifecycleStatus" | "lastResultCode" | "lastResultDetail" | "createdAt" | "updatedAt">,
		ThreadMarks {
	readonly lastArtifactSyncStatus?: Thread["lastArtifactSyncStatus"];
	readonly pendingTurnId?: TurnId;
	/** The newest turn, without its files. */
	readonly lastTurn?: Omit<Turn, "syncedPaths">;
	readonly turnCount: number;
	/** How many of the current run's files were saved to the thread's folder. */
	readonly fileCount: number;
	/** The beginning of the newest prompt, at most 200 characters. Empty for a plan's run, whose prompt the user did not write. */
	readonly preview: string;
	/** The agent of the newest turn. */
	readonly providerId?: string;
	/** The beginning of the newest turn's answer, at most 200 characters; absent before the turn's end, or if there is no answer. */
	readonly answer?: string;
	/** What is missing from the newest turn's run. Also set for a run that did not succeed, whose state says so already. */
	readonly lacking?: Lacking;
	/** How many commands the newest turn's run reported as failed and has not since reported as successful. Absent if there are none. */
	readonly failedCommands?: number;
	/**
	 * The most serious way in which the newest turn's run made a call without permission, by its agent's report or by the files, however the
	 * run ended. Absent if it made none.
	 */
	readonly unpermitted?: Unpermitted;
	/** How many files the newest turn's run is known to have changed where it worked. Absent if it changed none. */
	readonly changedCount?: number;
	/** True if the newest turn's run asked for or reported a call that does more than read, so that a repeat could do it twice. */
	readonly hasActed?: true;
	/** The folder that the newest turn works in, if it is a project folder. */
	readonly workingDirectory?: string;
	/** How many different files the runs of the thread delivered to its folder. */
	readonly artifactCount: number;
	/** How many files of the newest run the bridge collected, whether or not they were saved. */
	readonly collectedCount: number;
	/** A file of the current run that was saved to the thread's folder. */
	readonly firstFile?: string;
	readonly hasDraft: boolean;
	/** How many messages are queued in this thread. */
	readonly queuedCount: number;
	/** How many of the queued messages are being edited, or held until the user resumes the queue. Absent if there are none. */
	readonly editedCount?: number;
}
