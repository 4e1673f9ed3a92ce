import type { RunFiles } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { syncWords } from "../../strings/states.ts";

/** Read before all of the run's files were saved, so it is out of date once the run has ended. */
export function isOfRunUnderWay({ syncStatus }: Pick<RunFiles, "syncStatus">): boolean {
	return syncStatus === "queued" || syncStatus === "running" || syncStatus === "syncing";
}

/** A run's heading for the state of its files; empty if a file is missing although all were saved. */
export function savedWord({ files, count }: Pick<RunFiles, "files" | "count">, status: RunFiles["syncStatus"]): string | undefined {
	if (status === undefined) return undefined;
	if (status === "failed" && count > 0) return words.files.notSaved;
	const isGone = files.some(({ state }) => state === "missing" || state === "blocked");
	return status === "synced" && isGone ? undefined : syncWords[status];
}
