import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory } from "./sync-directory.ts";
import { writeDurably } from "./write-durably.ts";

/**
 * A file with this name beside the database of a bridge or an app shows that the database comes from a backup. Every backup contains it.
 */
export const PUT_BACK_MARK = "restored";

/**
 * True if the files in this folder come from a backup, whether the command restored them or the user did. Everything unsent or unfinished
 * in them has to be put on hold or ended before they are used, because it may have been sent or have continued after the backup was made.
 */
export function isPutBack(folder: string): boolean {
	return existsSync(join(folder, PUT_BACK_MARK));
}

export function notePutBack(folder: string): void {
	writeDurably(join(folder, PUT_BACK_MARK), "");
}

/** Call this once everything unsent or unfinished has been put on hold or ended. */
export function clearPutBack(folder: string): void {
	rmSync(join(folder, PUT_BACK_MARK), { force: true });
	syncDirectory(folder);
}
