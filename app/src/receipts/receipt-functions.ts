import type { ReceiptFunctions } from "../api/methods.ts";
import type { BridgeClient } from "../bridge-client/index.ts";

export function receiptFunctions(client: BridgeClient): ReceiptFunctions {
	return {
		listReceipts: (query) => client.call("xworkmate.receipts.list", query),
		receipt: (query) => client.call("xworkmate.receipts.get", query),
		verifyReceipts: (query) => client.call("xworkmate.receipts.verify", query),
		activity: (query) => client.call("xworkmate.activity.get", query),
	};
}
