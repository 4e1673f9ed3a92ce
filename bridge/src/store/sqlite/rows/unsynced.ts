import type { Database } from "better-sqlite3";

/**
 * Makes a write without its own sync: it reaches the disk with the next synced one. It survives the end of the process, but not a power
 * failure. Uses `exec`, because `pragma` tries to read a result, which costs eight times as much.
 */
export function unsynced(db: Database, write: () => void): void {
	db.exec("PRAGMA synchronous = NORMAL");
	try {
		write();
	} finally {
		db.exec("PRAGMA synchronous = FULL");
	}
}
