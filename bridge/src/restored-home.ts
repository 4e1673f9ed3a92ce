import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory, writeDurably } from "@xworkmate/platform/files";

/** Beside the database of a home that was put back from a backup, until its next bridge has held what was open in it. */
const MARK = "restored";

/** The home was put back from a backup, and no bridge has held yet what was open when the backup was made. */
export function isPutBack(bridgeHome: string): boolean {
	return existsSync(join(bridgeHome, MARK));
}

/** Every backup has this mark in it, so that it counts as put back however its files came into their place. */
export function notePutBack(bridgeHome: string): void {
	writeDurably(join(bridgeHome, MARK), "");
}

/** What was open has been held. */
export function clearPutBack(bridgeHome: string): void {
	rmSync(join(bridgeHome, MARK), { force: true });
	syncDirectory(bridgeHome);
}
