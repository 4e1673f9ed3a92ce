import { join } from "node:path";
import type { AttemptLedger } from "../../ports/attempt-ledger.ts";
import type { ProcessLedger } from "../../ports/process-ledger.ts";
import type { RunStore } from "../../ports/run-store.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import { openBridgeDatabase } from "./file/bridge-database.ts";
import { translateError } from "./rows/translate-error.ts";
import { createAttemptLedger } from "./tables/attempt-ledger.ts";
import { createProcessLedger } from "./tables/process-ledger.ts";
import { createRunStore } from "./tables/run-store.ts";
import { createSessionStore } from "./tables/session-store.ts";

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
	const db = openBridgeDatabase(join(home, DATABASE_FILE));
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
