import { chmodSync, existsSync } from "node:fs";
import Database from "better-sqlite3";

// The garbage collector closes an unreferenced connection, which would release its lock.
const held = new Set<Database.Database>();

/**
 * Takes the lock that a file represents, and keeps it until it is disposed of or the process ends for any reason. Returns undefined while
 * it is held, by another process or this one. The lock is an exclusive SQLite transaction, so the kernel releases it even after a kill -9.
 * Only SQLite opens the file: closing any other descriptor of it would drop the lock (POSIX).
 */
export function takeLock(path: string): Disposable | undefined {
	const db = new Database(path, { timeout: 0 });
	try {
		chmodSync(path, 0o600);
		// Nothing is ever written, so the lock needs no journal file.
		db.pragma("journal_mode = MEMORY");
		db.exec("BEGIN EXCLUSIVE");
	} catch (error) {
		db.close();
		if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
		throw error;
	}
	held.add(db);
	return {
		[Symbol.dispose]: () => {
			if (held.delete(db)) db.close();
		},
	};
}

/**
 * True if nothing holds the lock that a file represents. The check takes the lock for a moment. False if there is no such file, or if the
 * lock can't be tried.
 */
export function isLockFree(path: string): boolean {
	if (!existsSync(path)) return false;
	try {
		const lock = takeLock(path);
		lock?.[Symbol.dispose]();
		return lock !== undefined;
	} catch {
		// The file can't be written or is damaged, which does not show that nothing holds its lock.
		return false;
	}
}
