import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory } from "@xworkmate/platform/files";

/**
 * The file in a backup's copy of `<home>/app` that says so. While it is there, nothing that was on its way when the backup was made may be
 * sent: it may have been sent since.
 */
export function putBackMark(appFolder: string): string {
	return join(appFolder, "restored");
}

export function isPutBack(appFolder: string): boolean {
	return existsSync(putBackMark(appFolder));
}

/** What was on its way is held. */
export function clearPutBack(appFolder: string): void {
	rmSync(putBackMark(appFolder), { force: true });
	syncDirectory(appFolder);
}
