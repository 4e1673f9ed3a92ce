import type { AccountStore } from "../ports/account-store.ts";
import type { ApprovalStore } from "../ports/approval-store.ts";
import type { ArtifactIndex } from "../ports/artifact-index.ts";
import type { AttemptLedger } from "../ports/attempt-ledger.ts";
import type { ChangeStore } from "../ports/change-store.ts";
import type { ChannelStore } from "../ports/channel-store.ts";
import type { OperatorStore } from "../ports/operator-store.ts";
import type { PlanStore } from "../ports/plan-store.ts";
import type { ProcessLedger } from "../ports/process-ledger.ts";
import type { LedgerEndStore, ReceiptStore } from "../ports/receipt-store.ts";
import type { StepStore } from "../ports/run-step.ts";
import type { RunLogStore, RunStore } from "../ports/run-store.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ThreadDeletion } from "../ports/thread-deletion.ts";
import type { ToolStore } from "../ports/tool-store.ts";

/** What every kind of store provides. */
export interface BridgeStore {
	readonly log: RunLogStore;
	readonly runs: RunStore;
	readonly deletion: ThreadDeletion;
	readonly approvals: ApprovalStore;
	readonly artifacts: ArtifactIndex;
	readonly changes: ChangeStore;
	readonly sessions: SessionStore;
	readonly processes: ProcessLedger;
	readonly attempts: AttemptLedger;
	readonly receipts: ReceiptStore;
	readonly ledgerEnd: LedgerEndStore;
	readonly tools: ToolStore;
	readonly steps: StepStore;
	readonly accounts: AccountStore;
	readonly operators: OperatorStore;
	readonly plans: PlanStore;
	readonly channels: ChannelStore;
	/** Closes the store. Everything that was written is on the disk, and the file is released. */
	close(): void;
}
