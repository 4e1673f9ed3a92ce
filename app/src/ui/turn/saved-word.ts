import type { RunFiles, ThreadFile } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { syncWords } from "../../strings/states.ts";

/** Read before all of the run's files were saved, so it is out of date once the run has ended. */
export function isOfRunUnderWay({ syncStatus }: Pick<RunFiles, "syncStatus">): boolean {
	return syncStatus === "queued" || syncStatus === "running" || syncStatus === "syncing";
}

/** A run's heading for the state of its files; empty if a file is not in the folder any more although all were saved. */
export function savedWord({ files, count }: Pick<RunFiles, "files" | "count">, status: RunFiles["syncStatus"]): string | undefined {
	if (status === undefined) return undefined;
	if (status === "failed" && count > 0) return words.files.notSaved;
	const has = (wanted: ThreadFile["state"]) => files.some(({ state }) => state === wanted);
	// A file that is only missing is fetched again; a blocked one has to wait until what blocks it is gone.
	const isAwaited = files.length < count || has("missing");
	if (status === "partial" && has("blocked") && !isAwaited) return words.files.notAll;
	const isGone = has("missing") || has("blocked") || has("replaced");
	return status === "synced" && isGone ? undefined : syncWords[status];
}
