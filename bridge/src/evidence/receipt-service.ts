import {
	type Activity,
	activityOf,
	type CallActivity,
	ContractError,
	callAfter,
	canonicalJson,
	type Receipt,
	RunId,
	type Timestamp,
} from "@xworkmate/contracts";
import type { ReceiptExport, ReceiptService } from "../ports/receipt-service.ts";
import type { ReceiptStore } from "../ports/receipt-store.ts";
import { exportReceipts } from "./receipt-export.ts";
import type { ReceiptLedger } from "./receipt-ledger.ts";
import { receiptTexts, verifyReceipts } from "./receipt-verifier.ts";

/** What is shown of receipts, and whether they are whole. */
export function createReceiptService(receipts: ReceiptStore, ledger: ReceiptLedger): ReceiptService & { readonly files: ReceiptExport } {
	const assertThere = async (runId: RunId) => {
		const run = await receipts.findRun(runId);
		if (run === undefined || run.isDeleting) throw new ContractError("NOT_FOUND", { detail: `There is no run ${runId}.` });
	};
	const activity = async (runId: RunId) => {
		await assertThere(runId);
		return await readActivity(receipts, runId);
	};
	return {
		list: async (params) => {
			const { items, ...next } = await receipts.listReceipts(params);
			return { items: [...items], ...next };
		},
		get: async ({ receiptId }) => {
			const dot = receiptId.lastIndexOf(".");
			const runId = RunId.parse(receiptId.slice(0, dot));
			const receipt = await receipts.findReceipt(runId, Number(receiptId.slice(dot + 1)));
			if (receipt === undefined) throw new ContractError("NOT_FOUND", { detail: `There is no receipt ${receiptId}.` });
			const { toolCallId } = receipt;
			return { receipt, trail: toolCallId === undefined ? [receipt] : [...(await receipts.ofCall(runId, toolCallId))] };
		},
		verify: async ({ runId, head }, whenGone) => {
			if (runId !== undefined) await assertThere(runId);
			return await verifyReceipts(receipts, ledger, { runId, head, gone: whenGone?.() });
		},
		activity: ({ runId }) => activity(runId),
		files: {
			lines: async (runId) => {
				if (runId !== undefined) await assertThere(runId);
				return exportReceipts(receipts, ledger, runId);
			},
			activity: async (runId) => canonicalJson(await activity(runId)),
		},
	};
}

/** All of a run's activity, page by page. */
async function readActivity(receipts: ReceiptStore, runId: RunId): Promise<Activity> {
	const calls = new Map<string, CallActivity>();
	let asOf: Timestamp | undefined;
	for await (const text of receiptTexts(receipts, runId)) {
		if (text === undefined) continue;
		const { receipt } = JSON.parse(text) as { receipt: Receipt };
		asOf = receipt.at;
		const call = receipt.toolCallId === undefined ? undefined : callAfter(calls.get(receipt.toolCallId), receipt);
		if (call !== undefined) calls.set(call.item.toolCallId, call);
	}
	return activityOf(runId, asOf, calls.values());
}
