import type { RunFiles } from "../../api/ui-api.ts";
import { isBack } from "../../files/file-state.ts";
import { fill, words } from "../../strings/interface.ts";
import { syncWords } from "../../strings/runs/states.ts";
import { noFilesWords } from "../../text/runs/no-files-words.ts";

/** True if this list of files was read before all of them were saved. Once the turn has ended, the list is out of date. */
export function isOfRunUnderWay({ syncStatus }: Pick<RunFiles, "syncStatus">): boolean {
	return syncStatus === "queued" || syncStatus === "running" || syncStatus === "syncing";
}

/** The heading for the state of a run's files; undefined if it is unknown, or if all were saved but one is no longer in the folder. */
export function savedWord(
	{ files, count, rejectedCount }: Pick<RunFiles, "files" | "count" | "rejectedCount">,
	status: RunFiles["syncStatus"],
): string | undefined {
	if (status === undefined) return undefined;
	if (count === 0 && rejectedCount > 0) return noFilesWords(rejectedCount);
	if (status === "failed" && count > 0) return words.files.notSaved;
	const isGone = files.some(({ state }) => state === "missing" || state === "blocked" || state === "replaced");
	if (status !== "synced" && !(status === "partial" && isBack({ files, count }))) return syncWords[status];
	if (isGone) return undefined;
	// The rejected files are listed under this heading, so it can't say that all were saved.
	return rejectedCount === 0 ? syncWords.synced : fill(words.files.savedSome, { count: rejectedCount });
}
