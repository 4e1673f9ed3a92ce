import type { RunFiles } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { syncWords } from "../../strings/states.ts";

/** True if this list of files was read before all of them were saved. Once the turn has ended, the list is out of date. */
export function isOfRunUnderWay({ syncStatus }: Pick<RunFiles, "syncStatus">): boolean {
	return syncStatus === "queued" || syncStatus === "running" || syncStatus === "syncing";
}

/** The heading for the state of a run's files; undefined if it is unknown, or if all were saved but one is no longer in the folder. */
export function savedWord({ files, count }: Pick<RunFiles, "files" | "count">, status: RunFiles["syncStatus"]): string | undefined {
	if (status === undefined) return undefined;
	if (status === "failed" && count > 0) return words.files.notSaved;
	const isGone = files.some(({ state }) => state === "missing" || state === "blocked" || state === "replaced");
	return status === "synced" && isGone ? undefined : syncWords[status];
}
