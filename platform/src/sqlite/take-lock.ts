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
 * Whether the lock that a file represents is held; undefined if that can't be found out, or if there is no such file. The check only reads,
 * so checks at the same moment don't see each other.
 */
export function isLockHeld(path: string): boolean | undefined {
	if (!existsSync(path)) return undefined;
	try {
		const db = new Database(path, { readonly: true, timeout: 0 });
		try {
			db.pragma("schema_version");
			return false;
		} catch (error) {
			if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return true;
			throw error;
		} finally {
			db.close();
		}
	} catch {
		// The file can't be read or is damaged.
		return undefined;
	}
}
