import { join } from "node:path";
import type { ApprovalStore } from "../../ports/approval-store.ts";
import type { ArtifactIndex } from "../../ports/artifact-index.ts";
import type { AttemptLedger } from "../../ports/attempt-ledger.ts";
import type { ChangeStore } from "../../ports/change-store.ts";
import type { ProcessLedger } from "../../ports/process-ledger.ts";
import type { RunLogStore, RunStore } from "../../ports/run-store.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import { openBridgeDatabase } from "./file/bridge-database.ts";
import { translateError } from "./rows/translate-error.ts";
import { createApprovalStore } from "./tables/approval-store.ts";
import { createArtifactIndex } from "./tables/artifact-index.ts";
import { createAttemptLedger } from "./tables/attempt-ledger.ts";
import { createChangeStore } from "./tables/change-store.ts";
import { createProcessLedger } from "./tables/process-ledger.ts";
import { createRunLogStore } from "./tables/run-log-store.ts";
import { createRunStore } from "./tables/run-store.ts";
import { createSessionStore } from "./tables/session-store.ts";

export { StoreError, type StoreErrorCode } from "../store-error.ts";
export { acquireHomeLock, type HomeLock } from "./home-lock.ts";

/** Name of the database inside the bridge's home. */
export const DATABASE_FILE = "bridge.sqlite";

export interface SqliteStore {
	readonly log: RunLogStore;
	readonly runs: RunStore;
	readonly approvals: ApprovalStore;
	readonly artifacts: ArtifactIndex;
	readonly changes: ChangeStore;
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
			log: createRunLogStore(db),
			runs: createRunStore(db),
			approvals: createApprovalStore(db),
			artifacts: createArtifactIndex(db),
			changes: createChangeStore(db),
			sessions: createSessionStore(db),
			processes: createProcessLedger(db),
			attempts: createAttemptLedger(db),
			close: () => void db.close(),
		};
	} catch (error) {
		// A table that this version expects does not exist.
		db.close();
		throw translateError(error, db.name);
	}
}
