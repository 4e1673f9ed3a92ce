import type { ApprovalStore } from "../../../src/ports/approval-store.ts";
import type { ArtifactIndex } from "../../../src/ports/artifact-index.ts";
import type { AttemptLedger } from "../../../src/ports/attempt-ledger.ts";
import type { ChangeStore } from "../../../src/ports/change-store.ts";
import type { ProcessLedger } from "../../../src/ports/process-ledger.ts";
import type { RunLogStore, RunStore } from "../../../src/ports/run-store.ts";
import type { SessionStore } from "../../../src/ports/session-store.ts";

/** What every store implements. */
export interface StorePorts {
	readonly log: RunLogStore;
	readonly runs: RunStore;
	readonly approvals: ApprovalStore;
	readonly artifacts: ArtifactIndex;
	readonly changes: ChangeStore;
	readonly sessions: SessionStore;
	readonly processes: ProcessLedger;
	readonly attempts: AttemptLedger;
}

/** A new, empty store, removed when disposed of. */
export interface StoreUnderTest extends AsyncDisposable {
	readonly ports: StorePorts;
	/** Closes it and opens the same data again; earlier ports are dead then. */
	reopen(): Promise<StorePorts>;
}

export type OpenStore = () => Promise<StoreUnderTest>;
