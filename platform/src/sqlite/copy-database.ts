import { chmodSync } from "node:fs";
import Database from "better-sqlite3";

/** Copies every page in one step: after a smaller step, a commit of another process would make SQLite start over. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies a consistent state of a database, even while other processes write to it. `change` alters the finished copy. Mode 0600.
 * @throws SqliteError; TypeError if the folder of `into` is missing
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
		// The copy must be a single file, without a log.
		copy.pragma("journal_mode = DELETE");
		change?.(copy);
	} finally {
		copy.close();
	}
}
