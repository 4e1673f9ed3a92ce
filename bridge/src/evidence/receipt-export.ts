import { PlanId, RunId } from "@xworkmate/contracts";
import type { ReceiptStore } from "../ports/tools/receipt-store.ts";
import { Breather } from "./breather.ts";
import type { ReceiptLedger } from "./receipt-ledger.ts";
import { type Only, plansOf, receiptTexts, runsOf } from "./receipt-verifier.ts";

/**
 * Receipts and ledger as lines of JSON, which can be verified elsewhere. Nothing is checked or repaired on the way: the texts of events and
 * of the ledger's lines are passed on unchanged, except that line breaks in the text of an event become spaces. A missing text becomes an
 * empty receipt.
 */
export async function* exportReceipts(receipts: ReceiptStore, ledger: ReceiptLedger, only: Only): AsyncGenerator<string> {
	const { runId, planId } = only;
	const breather = new Breather();
	using reading = await ledger.read({ create: true });
	const { publicKey, known, failure } = reading;
	const unreadable = failure === undefined ? undefined : true;
	yield JSON.stringify({ type: "header", format: "xworkmate.receipts.v1", publicKey, runId, planId, ledger: known, unreadable });
	const seen = new Set<string>();
	for await (const run of runsOf(receipts, only, breather)) {
		seen.add(run.runId);
		if (run.isDeleting) continue;
		// A run that ended after the reading of the ledger began has no final line in this export.
		const isOver = run.isOver && !reading.isTouched({ runId: run.runId });
		yield JSON.stringify({ type: "run", runId: run.runId, isOver });
		for await (const text of receiptTexts(receipts, { runId: run.runId }, breather)) yield lineOf(text);
	}
	const seenPlans = new Set<string>();
	for await (const id of plansOf(receipts, only, breather)) {
		seenPlans.add(id);
		yield JSON.stringify({ type: "plan", planId: id });
		for await (const text of receiptTexts(receipts, { planId: id }, breather)) yield lineOf(text);
	}
	for await (const line of reading.lines()) {
		yield JSON.stringify({ type: "ledger", line });
		const plan = namedPlan(line);
		if (plan !== undefined && runId === undefined && !seenPlans.has(plan) && (planId === undefined || planId === plan)) {
			seenPlans.add(plan);
			// The plan exists, but all of its receipts are lost.
			if (await receipts.hasPlan(plan)) yield JSON.stringify({ type: "plan", planId: plan });
		}
		const named = namedRun(line);
		if (named === undefined || planId !== undefined || seen.has(named) || (runId !== undefined && named !== runId)) continue;
		seen.add(named);
		// The run exists, but all of its receipts are lost.
		const run = await receipts.findRun(named);
		if (run !== undefined && !run.isDeleting) yield JSON.stringify({ type: "run", runId: named, isOver: run.isOver });
	}
	yield JSON.stringify({ type: "end" });
}

function lineOf(text: string | undefined): string {
	return (text ?? '{"type":"receipt"}').replaceAll("\n", " ");
}

function namedPlan(line: string): PlanId | undefined {
	const planId = /"planId":"([^"]+)"/.exec(line)?.[1];
	return planId === undefined ? undefined : PlanId.safeParse(planId).data;
}

function namedRun(line: string): RunId | undefined {
	const runId = /"runId":"([^"]+)"/.exec(line)?.[1];
	return runId === undefined ? undefined : RunId.safeParse(runId).data;
}
