import type { TurnStatus } from "../../threads/domain/thread.ts";

/** The states of a turn, in the words of the page and of the command. */
export const turnWords: Readonly<Record<TurnStatus | "new" | "syncing" | "not_saved", string>> = {
	new: "New",
	waiting: "Queued",
	sending: "Sending",
	queued: "Queued",
	running: "Running",
	syncing: "Saving files",
	completed: "Succeeded",
	/** The run succeeded, but some of its files are not in the folder. */
	not_saved: "Not all files saved",
	failed: "Failed",
	artifact_missing: "File missing",
	cancelled: "Cancelled",
	interrupted: "Interrupted",
	refused: "Not sent",
	unresolved: "Not known yet",
};

/** The command's title for a run none of whose files could be saved. Some may have been downloaded since. */
export const noneSaved = "Succeeded, but none of its files were saved";

/** What the command adds to the state of a run that is still active. */
export const activeTurnWords = {
	stopAsked: "Stop requested at {time}, waiting for confirmation",
	soFar: "The answer so far:",
} as const;
