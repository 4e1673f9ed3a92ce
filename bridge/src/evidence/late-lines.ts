import type { ChainOwner, LedgerEnd, Receipt } from "@xworkmate/contracts";
import type { ReceiptStore } from "../ports/tools/receipt-store.ts";

/** The ledger's state when a reader began to read it. */
export interface LedgerReading extends Disposable {
	/** The current signing key. Absent if there is no line yet, or if the ledger can't be opened. */
	readonly publicKey?: string;
	/** The last line according to the database. */
	readonly known?: LedgerEnd;
	/** Why the ledger can't be opened, so that no line of it is known. */
	readonly failure?: string;
	lines(): AsyncIterable<string>;
	/** True for a run that got its last line, or a plan that got a head, after the reading began. */
	isTouched(owner: ChainOwner): boolean;
}

/** A line that the ledger should have: the final one of an ended run, or the newest head of a plan. */
type LateLine = ChainOwner & { readonly kind: "final" | "head"; readonly last: Receipt };

const PAGE = 100;

/** The lines that are missing because the bridge was killed before it wrote them. */
export async function* lateLines(receipts: ReceiptStore, reading: LedgerReading): AsyncGenerator<LateLine> {
	const finals = new Set<string>();
	/** How many receipts of each plan the ledger vouches for. */
	const said = new Map<string, number>();
	for await (const text of reading.lines()) {
		const runId = text.includes('"kind":"final"') ? /"runId":"([^"]+)"/.exec(text)?.[1] : undefined;
		if (runId !== undefined) finals.add(runId);
		const planId = /"planId":"([^"]+)"/.exec(text)?.[1];
		if (planId !== undefined) said.set(planId, Number(/"count":(\d+)/.exec(text)?.[1]));
	}
	for (let after: number | undefined = 0; after !== undefined; ) {
		const page: Awaited<ReturnType<ReceiptStore["runsAfter"]>> = await receipts.runsAfter(after, PAGE);
		for (const { runId, isOver, isDeleting } of page.runs) {
			if (!isOver || isDeleting || finals.has(runId) || reading.isTouched({ runId })) continue;
			const last = await receipts.lastOf({ runId });
			if (last !== undefined) yield { kind: "final", runId, last };
		}
		after = page.next;
	}
	for (let after: number | undefined = 0; after !== undefined; ) {
		const page: Awaited<ReturnType<ReceiptStore["plansAfter"]>> = await receipts.plansAfter(after, PAGE);
		for (const planId of page.plans) {
			const last = await receipts.lastOf({ planId });
			if (last !== undefined && last.n > (said.get(planId) ?? 0)) yield { kind: "head", planId, last };
		}
		after = page.next;
	}
}
