import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory } from "./sync-directory.ts";
import { writeDurably } from "./write-durably.ts";

/** The name of a file beside the database of a bridge or an app. It is in every backup, so that it comes back with it. */
export const PUT_BACK_MARK = "restored";

/**
 * The files in this folder come from a backup, however they came into their place. Until what was open then is held, nothing of it may be
 * sent: it may have been sent since.
 */
export function isPutBack(folder: string): boolean {
	return existsSync(join(folder, PUT_BACK_MARK));
}

export function notePutBack(folder: string): void {
	writeDurably(join(folder, PUT_BACK_MARK), "");
}

/** What was open has been held. */
export function clearPutBack(folder: string): void {
	rmSync(join(folder, PUT_BACK_MARK), { force: true });
	syncDirectory(folder);
}
