import { join } from "node:path";
import type { Clock } from "../ports/clock.ts";
import type { LedgerEndStore, ReceiptStore } from "../ports/tools/receipt-store.ts";
import { isRestored } from "./is-restored.ts";
import type { LedgerFault } from "./ledger-file.ts";
import { ReceiptLedger } from "./receipt-ledger.ts";
import { createReceiptService, type EndedRuns } from "./receipt-service.ts";

export { copyLedger } from "./copy-ledger.ts";
export { ReceiptLedger } from "./receipt-ledger.ts";

interface EvidenceOptions {
	readonly bridgeHome: string;
	readonly receipts: ReceiptStore;
	readonly ends: LedgerEndStore;
	/** Tells how runs ended. If absent, the outcomes are not known. */
	readonly runs?: EndedRuns;
	readonly clock: Clock;
	readonly log: { error(details: object, message: string): void };
}

const faults: Readonly<Record<LedgerFault, string>> = {
	damaged: "the receipt ledger is damaged",
	cut: "the end of the receipt ledger was cut off",
	key_lost: "the receipt ledger's key is missing",
};

/** Creates the ledger of a bridge's home, and the service that answers requests about receipts. */
export function createEvidence({ bridgeHome, log, runs, ...stores }: EvidenceOptions) {
	const folder = join(bridgeHome, "receipts");
	const ledger = new ReceiptLedger({
		...stores,
		folder,
		onFault: (fault) => log.error({ fault }, `${faults[fault]}: the ledger continues with a new key, and \`receipts verify\` reports this`),
		onError: (error) => log.error({ err: error }, "the receipt ledger can't be written: the bridge will try again"),
	});
	return {
		ledger,
		receipts: createReceiptService(stores.receipts, ledger, runs),
		/**
		 * True if a backup was restored. False also if the ledger cannot be read, which is logged. Must be called before the ledger is loaded.
		 * @throws the store's error
		 */
		isRestored: () =>
			isRestored(folder, stores.ends, stores.receipts).catch((error: unknown) => {
				// Only an error of the file system has a `syscall`. The store's errors are passed on.
				if (!(error instanceof Error && "syscall" in error)) throw error;
				log.error({ err: error }, "the receipt ledger can't be read: the bridge can't tell whether a backup was restored");
				return false;
			}),
	};
}
