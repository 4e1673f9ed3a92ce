import { accountStoreContract } from "./account-store-contract.ts";
import { approvalContract } from "./approval-contract.ts";
import { attemptLedgerContract } from "./attempt-ledger-contract.ts";
import { changeContract } from "./change-contract.ts";
import { channelStoreContract } from "./channel-store-contract.ts";
import { operatorStoreContract } from "./operator-store-contract.ts";
import { planContract } from "./plan-contract.ts";
import { processLedgerContract } from "./process-ledger-contract.ts";
import { receiptContract } from "./receipt-contract.ts";
import { runIntentContract } from "./run-intent-contract.ts";
import { runListContract } from "./run-list-contract.ts";
import { runLogContract } from "./run-log-contract.ts";
import { runSealContract } from "./run-seal-contract.ts";
import { sessionStoreContract } from "./session-store-contract.ts";
import { stepContract } from "./step-contract.ts";
import type { OpenStore } from "./store-under-test.ts";
import { threadDeletionContract } from "./thread-deletion-contract.ts";
import { toolStoreContract } from "./tool-store-contract.ts";

/** Everything a store promises, whatever it is made of. */
export function storeContract(name: string, open: OpenStore): void {
	runIntentContract(name, open);
	runLogContract(name, open);
	runSealContract(name, open);
	runListContract(name, open);
	approvalContract(name, open);
	changeContract(name, open);
	threadDeletionContract(name, open);
	sessionStoreContract(name, open);
	processLedgerContract(name, open);
	attemptLedgerContract(name, open);
	receiptContract(name, open);
	toolStoreContract(name, open);
	stepContract(name, open);
	planContract(name, open);
	channelStoreContract(name, open);
	operatorStoreContract(name, open);
	accountStoreContract(name, open);
}
