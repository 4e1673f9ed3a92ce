import { join } from "node:path";
import type { BridgeStore } from "../bridge-store.ts";
import { DATABASE_FILE, openBridgeDatabase } from "./file/bridge-database.ts";
import { translateError } from "./rows/translate-error.ts";
import { createAccountStore } from "./tables/account-store.ts";
import { createApprovalStore } from "./tables/approval-store.ts";
import { createArtifactIndex } from "./tables/artifact-index.ts";
import { createAttemptLedger } from "./tables/attempt-ledger.ts";
import { createChangeStore } from "./tables/change-store.ts";
import { createChannelStore } from "./tables/channel-store.ts";
import { createLedgerEndStore } from "./tables/ledger-end-store.ts";
import { createOperatorStore } from "./tables/operator-store.ts";
import { createPlanStore } from "./tables/plan-store.ts";
import { createProcessLedger } from "./tables/process-ledger.ts";
import { createReceiptStore } from "./tables/receipt-store.ts";
import { createRunLogStore } from "./tables/run-log-store.ts";
import { createRunStore } from "./tables/run-store.ts";
import { createSessionStore } from "./tables/session-store.ts";
import { createStepStore } from "./tables/step-store.ts";
import { createThreadDeletion } from "./tables/thread-deletion.ts";
import { createToolStore } from "./tables/tool-store.ts";

export { StoreError, type StoreErrorCode } from "../store-error.ts";
export { DATABASE_FILE, noteDamage, wasLeftOpen } from "./file/bridge-database.ts";
export { copyBridgeDatabase } from "./file/copy-bridge-database.ts";
export { acquireHomeLock, type HomeLock } from "./home-lock.ts";

/**
 * Opens the bridge's store in its home (`<XWORKMATE_HOME>/bridge`). The caller has to hold the home's lock.
 *
 * @throws StoreError STORE_NEWER, STORE_CORRUPT, STORE_FOREIGN, STORE_MIGRATION_FAILED, STORE_UNAVAILABLE, STORE_FULL, STORE_FAILED
 */
export function openSqliteStore(home: string): BridgeStore {
	const db = openBridgeDatabase(join(home, DATABASE_FILE));
	try {
		return {
			log: createRunLogStore(db),
			runs: createRunStore(db),
			deletion: createThreadDeletion(db),
			approvals: createApprovalStore(db),
			artifacts: createArtifactIndex(db),
			changes: createChangeStore(db),
			sessions: createSessionStore(db),
			processes: createProcessLedger(db),
			attempts: createAttemptLedger(db),
			receipts: createReceiptStore(db),
			ledgerEnd: createLedgerEndStore(db),
			tools: createToolStore(db),
			steps: createStepStore(db),
			accounts: createAccountStore(db),
			operators: createOperatorStore(db),
			plans: createPlanStore(db),
			channels: createChannelStore(db),
			// Closing first moves everything from the write-ahead log to the file.
			close: () => void db.close(),
		};
	} catch (error) {
		// For example, a table that this version expects does not exist, so a statement could not be prepared.
		db.close();
		throw translateError(error, db.name);
	}
}
