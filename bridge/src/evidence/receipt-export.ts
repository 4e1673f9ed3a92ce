import { RunId } from "@xworkmate/contracts";
import type { ReceiptStore } from "../ports/receipt-store.ts";
import { Breather } from "./breather.ts";
import type { ReceiptLedger } from "./receipt-ledger.ts";
import { receiptTexts, runsOf } from "./receipt-verifier.ts";

/**
 * Receipts and ledger as lines of JSON, for a verifier that needs nothing else. Nothing is checked or mended on the way: an event's text
 * and a ledger's line are given as they are.
 */
export async function* exportReceipts(receipts: ReceiptStore, ledger: ReceiptLedger, runId: RunId | undefined): AsyncGenerator<string> {
	const breather = new Breather();
	using reading = await ledger.read({ create: true });
	const { publicKey, known } = reading;
	yield JSON.stringify({ type: "header", format: "xworkmate.receipts.v1", publicKey, runId, ledger: known });
	const seen = new Set<string>();
	for await (const run of runsOf(receipts, runId, breather)) {
		seen.add(run.runId);
		if (run.isDeleting) continue;
		// A run that has ended since the ledger was read is not sealed below.
		const isOver = run.isOver && !reading.isTouched(run.runId);
		yield JSON.stringify({ type: "run", runId: run.runId, isOver });
		for await (const text of receiptTexts(receipts, run.runId, breather)) yield (text ?? '{"type":"receipt"}').replaceAll("\n", " ");
	}
	for await (const line of reading.lines()) {
		yield JSON.stringify({ type: "ledger", line });
		const named = namedRun(line);
		if (named === undefined || seen.has(named) || (runId !== undefined && named !== runId)) continue;
		seen.add(named);
		// It is there, but has lost all of its receipts.
		const run = await receipts.findRun(named);
		if (run !== undefined && !run.isDeleting) yield JSON.stringify({ type: "run", runId: named, isOver: run.isOver });
	}
	yield JSON.stringify({ type: "end" });
}

function namedRun(line: string): RunId | undefined {
	const runId = /"runId":"([^"]+)"/.exec(line)?.[1];
	return runId === undefined ? undefined : RunId.safeParse(runId).data;
}
