import type { ThreadFile } from "../api/ui-api.ts";

const notOnDisk: ReadonlySet<ThreadFile["state"]> = new Set(["missing", "unsaved", "saving", "replaced", "blocked"]);

/** Whether this version of the file is on this disk and therefore part of an archive. Pure, because the page and the server share it. */
export function isOnDisk({ state }: Pick<ThreadFile, "state">): boolean {
	return !notOnDisk.has(state);
}

/** Whether the folder has this version at the file's own path. A kept version is elsewhere: its path has another version, or none. */
export function isAtItsPath({ state }: Pick<ThreadFile, "state">): boolean {
	return isOnDisk({ state }) && state !== "kept";
}

/** Whether the file's bytes are available: in the folder or, failing that, as the bridge's copy. */
export function isReadable({ state, atBridge }: Pick<ThreadFile, "state" | "atBridge">): boolean {
	return isOnDisk({ state }) || atBridge === true;
}
