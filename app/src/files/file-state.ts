import type { RunFiles, ThreadFile } from "../api/ui-api.ts";

const notOnDisk: ReadonlySet<ThreadFile["state"]> = new Set(["missing", "unsaved", "saving", "replaced", "blocked"]);

/** Whether the file is on this disk: as delivered, edited, or kept elsewhere. Pure, because the page and the server share it. */
export function isOnDisk({ state }: Pick<ThreadFile, "state">): boolean {
	return !notOnDisk.has(state);
}

/** Whether the run's file, perhaps edited, is at its own path. A kept version is elsewhere: its path has another version, or none. */
export function isAtItsPath({ state }: Pick<ThreadFile, "state">): boolean {
	return isOnDisk({ state }) && state !== "kept";
}

/** Whether the file's bytes are available: in the folder or, failing that, as the bridge's copy. */
export function isReadable({ state, atBridge }: Pick<ThreadFile, "state" | "atBridge">): boolean {
	return isOnDisk({ state }) || atBridge === true;
}

/**
 * True if nothing of a run's files is left to save: each is on this disk, or was saved (`saved` has its path) before a later run's file
 * replaced it.
 */
export function isSavedInFull({ files, count }: Pick<RunFiles, "files" | "count">, saved: readonly string[]): boolean {
	const wasReplaced = ({ state, relativePath }: ThreadFile) => state === "replaced" && saved.includes(relativePath);
	return files.length >= count && files.every((file) => isOnDisk(file) || wasReplaced(file));
}

/**
 * True if another download may save files of a run: some are missing, their paths are blocked, or not all are known. A file in whose place
 * a later run's file is stays where it is.
 */
export function isDownloadable({ files, count }: Pick<RunFiles, "files" | "count">): boolean {
	return files.length < count || files.some(({ state }) => !isOnDisk({ state }) && state !== "replaced");
}

/** True if all files of a run are on this disk: files that were missing when the run's files were saved have been restored since. */
export function isBack(run: Pick<RunFiles, "files" | "count">): boolean {
	return isSavedInFull(run, []);
}
