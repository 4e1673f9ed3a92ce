import type { TurnId } from "@xworkmate/contracts";
import type { Thread, Turn } from "./thread.ts";

/** A thread as a list shows it, without its place in the queue. */
export interface ListedThread
	extends Pick<Thread, "threadId" | "title" | "lifecycleStatus" | "lastResultCode" | "lastResultDetail" | "createdAt" | "updatedAt"> {
	readonly lastArtifactSyncStatus?: Thread["lastArtifactSyncStatus"];
	readonly pendingTurnId?: TurnId;
	/** The newest turn, without its files. */
	readonly lastTurn?: Omit<Turn, "syncedPaths">;
	readonly turnCount: number;
	/** Files of the current run in the thread's folder. */
	readonly fileCount: number;
	/** The beginning of the newest prompt, at most 200 characters. */
	readonly preview: string;
	/** The agent of the newest turn. */
	readonly providerId?: string;
	/** The beginning of the newest turn's answer, at most 200 characters; absent before its end. */
	readonly answer?: string;
	/** The folder it works in, if that is a project folder. */
	readonly workingDirectory?: string;
	/** Files that its runs delivered into the thread's folder, by name. */
	readonly artifactCount: number;
	/** Files that the bridge has of the newest run, whether or not they were saved. */
	readonly collectedCount: number;
	/** One of the current run's files in the thread's folder. */
	readonly firstFile?: string;
	readonly hasDraft: boolean;
	/** Messages that wait for their turn in this thread. */
	readonly queuedCount: number;
	/** How many of them are being edited. Absent = none. */
	readonly editedCount?: number;
}
