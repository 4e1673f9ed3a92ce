import { chmodSync } from "node:fs";
import Database from "better-sqlite3";

// A connection without references is closed by the garbage collector, which releases its lock.
const held = new Set<Database.Database>();

/**
 * Takes the lock that a file stands for, until it is disposed of or the process ends, however it ends; undefined while
 * another has it. It is an exclusive SQLite transaction, so the kernel gives it back even after a kill -9. Only SQLite
 * opens the file: closing any other descriptor of it would drop the lock (POSIX).
 */
export function takeLock(path: string): Disposable | undefined {
	const db = new Database(path, { timeout: 0 });
	try {
		chmodSync(path, 0o600);
		// Nothing is ever written, so no journal is needed beside the lock.
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
