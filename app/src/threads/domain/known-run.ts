import type { Lacking, RunId, Unpermitted } from "@xworkmate/contracts";
import type { Thread, Turn } from "./thread.ts";

/** A run of one of the app's threads, as the app last knew it. */
export interface KnownRun
	extends Pick<Thread, "threadId" | "title">,
		Pick<Turn, "status" | "syncStatus" | "resultDetail" | "createdAt" | "cancelRequestedAt" | "stoppingSince"> {
	readonly runId: RunId;
	/** The time of the latest news about the thread's newest run: a run that was active then may have ended since. */
	readonly asOf: Thread["updatedAt"];
	/** What is missing from the run. */
	readonly lacking?: Lacking;
	/** How many commands the run reported as failed and did not then repeat successfully. Absent if there are none. */
	readonly failedCommands?: number;
	/** The most serious way in which the run made a call without permission. Absent if it made none. */
	readonly unpermitted?: Unpermitted;
}

/** The newest runs, newest first. */
export interface KnownRuns {
	readonly runs: readonly KnownRun[];
	/** True if there are older runs. */
	readonly more: boolean;
}
