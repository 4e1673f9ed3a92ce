import { join } from "node:path";
import type { ProcessLedger } from "../../processes/process-ledger.ts";
import type { AttemptLedger } from "../../runs/attempt-ledger.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import { createAttemptLedger } from "./attempt-ledger.ts";
import { openDatabase } from "./open-database.ts";
import { createProcessLedger } from "./process-ledger.ts";
import { createRunStore } from "./run-store.ts";
import { createSessionStore } from "./session-store.ts";
import { translateError } from "./translate-error.ts";

export { StoreError, type StoreErrorCode } from "../store-error.ts";
export { acquireHomeLock, type HomeLock } from "./home-lock.ts";

/** Name of the database inside the bridge's home. */
export const DATABASE_FILE = "bridge.sqlite";

export interface SqliteStore {
	readonly runs: RunStore;
	readonly sessions: SessionStore;
	readonly processes: ProcessLedger;
	readonly attempts: AttemptLedger;
	/** Checkpoints and closes the file. */
	close(): void;
}

/**
 * Opens the bridge's store in its home (`<XWORKMATE_HOME>/bridge`). The caller holds the home's lock.
 *
 * @throws StoreError STORE_NEWER, STORE_CORRUPT, STORE_FOREIGN, STORE_MIGRATION_FAILED, STORE_UNAVAILABLE, STORE_FULL
 */
export function openSqliteStore(home: string): SqliteStore {
	const db = openDatabase(join(home, DATABASE_FILE));
	try {
		return {
			runs: createRunStore(db),
			sessions: createSessionStore(db),
			processes: createProcessLedger(db),
			attempts: createAttemptLedger(db),
			close: () => void db.close(),
		};
	} catch (error) {
		// A table that this version knows is not there.
		db.close();
		throw translateError(error, db.name);
	}
}
