import type { ProcessLedger } from "../ports/agents/process-ledger.ts";
import type { ArtifactIndex } from "../ports/artifacts/artifact-index.ts";
import type { ChannelStore } from "../ports/channels/channel-store.ts";
import type { AccountStore } from "../ports/models/account-store.ts";
import type { OperatorStore } from "../ports/operator-store.ts";
import type { PlanStore } from "../ports/plans/plan-store.ts";
import type { AttemptLedger } from "../ports/runs/attempt-ledger.ts";
import type { ChangeStore } from "../ports/runs/change-store.ts";
import type { StepStore } from "../ports/runs/run-step.ts";
import type { RunLogStore, RunStore } from "../ports/runs/run-store.ts";
import type { SessionStore } from "../ports/runs/session-store.ts";
import type { ThreadDeletion } from "../ports/runs/thread-deletion.ts";
import type { ApprovalStore } from "../ports/tools/approval-store.ts";
import type { LedgerEndStore, ReceiptStore } from "../ports/tools/receipt-store.ts";
import type { ToolStore } from "../ports/tools/tool-store.ts";

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
	/** Closes the store. When this returns, everything that was written is on the disk, and the file is released. */
	close(): void;
}
