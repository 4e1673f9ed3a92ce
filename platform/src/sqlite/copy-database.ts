import { chmodSync } from "node:fs";
import Database from "better-sqlite3";

/** Every page in one step: what others commit meanwhile would make SQLite begin again after a smaller one. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies a database, which other processes may be writing, as it is at one moment. `change` alters the copy before anyone sees it. Mode 0600.
 * @throws SqliteError, TypeError if the folder of `into` is missing
 */
export async function copyDatabase(path: string, into: string, change?: (copy: Database.Database) => void): Promise<void> {
	const db = new Database(path, { readonly: true, fileMustExist: true });
	try {
		await db.backup(into, { progress: () => ALL_PAGES });
	} finally {
		db.close();
	}
	chmodSync(into, 0o600);
	const copy = new Database(into);
	try {
		// One file, without a log beside it.
		copy.pragma("journal_mode = DELETE");
		change?.(copy);
	} finally {
		copy.close();
	}
}
