import {
	ActionId,
	type Activity,
	activityOf,
	type CallActivity,
	ContractError,
	callAfter,
	canonicalJson,
	PlanId,
	type Receipt,
	type ReceiptId,
	RunId,
	type Timestamp,
} from "@xworkmate/contracts";
import type { RunStore } from "../ports/runs/run-store.ts";
import type { ReceiptExport, ReceiptService } from "../ports/tools/receipt-service.ts";
import type { ReceiptStore } from "../ports/tools/receipt-store.ts";
import { exportReceipts } from "./receipt-export.ts";
import type { ReceiptLedger } from "./receipt-ledger.ts";
import { receiptTexts, verifyReceipts } from "./receipt-verifier.ts";

/** The snapshots of ended runs. Unlike receipts, they list the changed files. */
export type EndedRuns = Pick<RunStore, "sealedSnapshot">;

const noneEnded: EndedRuns = { sealedSnapshot: () => Promise.resolve(undefined) };

/** Creates the service that lists receipts, and verifies that they are complete and unchanged. */
export function createReceiptService(
	receipts: ReceiptStore,
	ledger: ReceiptLedger,
	ended: EndedRuns = noneEnded,
): ReceiptService & { readonly files: ReceiptExport } {
	const assertThere = async (runId: RunId) => {
		const run = await receipts.findRun(runId);
		if (run !== undefined && !run.isDeleting) return;
		throw new ContractError("NOT_FOUND", {
			detail: `There is no run ${runId}.`,
			fix: "List the runs with their ids: npm run -s xworkmate -- tasks",
		});
	};
	const assertPlan = async (planId: PlanId) => {
		if (!(await receipts.hasPlan(planId))) throw new ContractError("NOT_FOUND", { detail: `There is no plan ${planId}.` });
	};
	const activity = async (runId: RunId) => {
		await assertThere(runId);
		const edits = (await ended.sealedSnapshot(runId))?.edits;
		return { ...(await readActivity(receipts, runId)), ...(edits && { edits }) };
	};
	return {
		list: async (params) => {
			const { items, ...next } = await receipts.listReceipts(params);
			return { items: [...items], ...next };
		},
		get: async ({ receiptId }) => {
			const receipt = await findReceipt(receipts, receiptId);
			if (receipt === undefined) throw new ContractError("NOT_FOUND", { detail: `There is no receipt ${receiptId}.` });
			return { receipt, trail: [...(await trailOf(receipts, receipt))] };
		},
		verify: async ({ runId, planId, head }, whenGone, said) => {
			if (runId !== undefined && planId !== undefined) throw ofBoth();
			if (runId !== undefined) await assertThere(runId);
			if (planId !== undefined) await assertPlan(planId);
			const of = said === undefined ? 0 : await receipts.countReceipts({ runId, planId });
			const checked = said && ((count: number) => said({ receipts: count, of }));
			return await verifyReceipts(receipts, ledger, { runId, planId, head, gone: whenGone?.(), checked });
		},
		activity: ({ runId }) => activity(runId),
		files: {
			lines: async ({ runId, planId }) => {
				if (runId !== undefined && planId !== undefined) throw ofBoth();
				if (runId !== undefined) await assertThere(runId);
				if (planId !== undefined) await assertPlan(planId);
				return exportReceipts(receipts, ledger, { runId, planId });
			},
			activity: async (runId) => canonicalJson(await activity(runId)),
		},
	};
}

/** Finds a receipt by its id, which contains the id of its run or plan. */
async function findReceipt(receipts: ReceiptStore, receiptId: ReceiptId): Promise<Receipt | undefined> {
	const dot = receiptId.lastIndexOf(".");
	const [owner, n] = [receiptId.slice(0, dot), Number(receiptId.slice(dot + 1))];
	return (await receipts.findReceipt({ runId: RunId.parse(owner) }, n)) ?? (await receipts.findReceipt({ planId: PlanId.parse(owner) }, n));
}

/** All receipts of the same call or the same message; the receipt alone if it belongs to neither. */
async function trailOf(receipts: ReceiptStore, receipt: Receipt): Promise<readonly Receipt[]> {
	const { runId, planId, toolCallId, detail } = receipt;
	if (runId !== undefined && toolCallId !== undefined) return await receipts.ofCall(runId, toolCallId);
	const action = ActionId.safeParse(detail?.["actionId"]);
	return planId !== undefined && action.success ? await receipts.ofAction(planId, action.data) : [receipt];
}

function ofBoth(): ContractError {
	return new ContractError("INVALID_PARAMS", { detail: "Specify a run or a plan (runId or planId), not both." });
}

/** The whole activity of a run, read page by page. */
async function readActivity(receipts: ReceiptStore, runId: RunId): Promise<Activity> {
	const calls = new Map<string, CallActivity>();
	let asOf: Timestamp | undefined;
	for await (const text of receiptTexts(receipts, { runId })) {
		if (text === undefined) continue;
		const { receipt } = JSON.parse(text) as { receipt: Receipt };
		asOf = receipt.at;
		const call = receipt.toolCallId === undefined ? undefined : callAfter(calls.get(receipt.toolCallId), receipt);
		if (call !== undefined) calls.set(call.item.toolCallId, call);
	}
	return activityOf(runId, asOf, calls.values());
}
