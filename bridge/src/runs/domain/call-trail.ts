import { type ChainHead, chained, emptyChain, type Receipt, type ReceiptDraft, type RunId } from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { RunEvent } from "../../ports/run-event.ts";

/** A call that has been requested and not closed. */
export interface OpenCall {
	/** Its latest receipt. */
	readonly last: Receipt;
	/** Its first receipt, which names the call. */
	readonly requested: Receipt;
}

/** The receipts of a run, as far as the next one depends on them. */
export interface CallTrail {
	readonly runId: RunId;
	readonly head: ChainHead;
	/** By toolCallId, in the order in which they were requested. */
	readonly open: ReadonlyMap<string, OpenCall>;
}

const closing: ReadonlySet<Receipt["type"]> = new Set(["tool.call.denied", "tool.call.succeeded", "tool.call.failed", "tool.call.unknown"]);

/** The trail after one more receipt. Pure. */
export function extendTrail(trail: CallTrail | undefined, receipt: Receipt): CallTrail {
	const open = new Map(trail?.open);
	const { toolCallId, type } = receipt;
	if (toolCallId !== undefined) {
		const requested = open.get(toolCallId)?.requested ?? receipt;
		if (closing.has(type)) open.delete(toolCallId);
		else if (type.startsWith("tool.call.")) open.set(toolCallId, { requested, last: receipt });
	}
	return { runId: receipt.runId, head: { count: receipt.n, hash: receipt.hash }, open };
}

/** The events of receipts that follow a trail, each chained to the one before. Pure. */
export function receiptEvents(
	runId: RunId,
	trail: CallTrail | undefined,
	drafts: readonly ReceiptDraft[],
	now: number,
): readonly RunEvent[] {
	let head = trail?.head ?? emptyChain(runId);
	return drafts.map((draft) => {
		const receipt = chained(runId, head, timestamp(now), draft);
		head = { count: receipt.n, hash: receipt.hash };
		return { type: "receipt", receipt };
	});
}
