import type { Database } from "better-sqlite3";

/**
 * A write that is synced to disk with the next one that is: the file keeps it when the process dies, but not over a power cut. `exec`
 * because `pragma` reads an answer that is not there, which costs eight times as much.
 */
export function unsynced(db: Database, write: () => void): void {
	db.exec("PRAGMA synchronous = NORMAL");
	try {
		write();
	} finally {
		db.exec("PRAGMA synchronous = FULL");
	}
}
