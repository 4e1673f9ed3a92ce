import type { PlanId, Receipt, ReceiptProblem, TaskSummary, Verification } from "@xworkmate/contracts";

/** The receipts of one call that are listed, newest first; a receipt that belongs to no call has a group of its own. */
export interface ListedCall {
	readonly key: string;
	readonly newest: Receipt;
	readonly first: number;
	readonly last: number;
	readonly words: string;
}

export interface ListedRun {
	/** Or the id of a plan. */
	readonly runId: string;
	/** It is a plan. */
	readonly isPlan: boolean;
	readonly calls: readonly ListedCall[];
	readonly newestAt: string;
}

/** Newest-first receipts by run and call, in the order of the newest receipt of each. */
export function groupReceipts(receipts: readonly Receipt[]): readonly ListedRun[] {
	const runs = Map.groupBy(receipts, ownerOf);
	return [...runs].map(([runId, ofRun]) => {
		const calls = Map.groupBy(ofRun, ({ toolCallId, receiptId, detail }) => toolCallId ?? `${detail?.["actionId"] ?? receiptId}`);
		const isPlan = ofRun[0]?.planId !== undefined;
		return { runId, isPlan, newestAt: ofRun[0]?.at ?? "", calls: [...calls].flatMap(([key, ofCall]) => callOf(key, ofCall)) };
	});
}

/** The id of the run or plan that a receipt, or a problem of one, belongs to; empty: the ledger itself. */
export function ownerOf({ runId, planId }: Pick<ReceiptProblem, "runId" | "planId">): string {
	return runId ?? planId ?? "";
}

function callOf(key: string, receipts: readonly Receipt[]): readonly ListedCall[] {
	const [newest] = receipts;
	if (newest === undefined) return [];
	const numbers = receipts.map(({ n }) => n);
	const words = receipts.find((receipt) => receipt.words !== undefined)?.words ?? "";
	return [{ key, newest, first: Math.min(...numbers), last: Math.max(...numbers), words }];
}

/** What a verification found. */
export interface Verified {
	/** Of this plan alone; absent: of everything. */
	readonly planId?: PlanId;
	/** The newest receipt that was there before it began, by the bridge's clock. */
	readonly upTo?: string;
	/** By this page's clock. */
	readonly checkedAt: string;
	readonly tookMs: number;
	readonly result: Verification;
}

export type ChainState =
	| { readonly state: "problem"; readonly problem: ReceiptProblem }
	| { readonly state: "running" | "intact" | "unverified" };

/** What is known about a run's chain. Nothing is called intact that was not checked, or whose ledger is damaged. */
export function chainState(
	run: Pick<ListedRun, "runId" | "newestAt">,
	task: Pick<TaskSummary, "endedAt"> | undefined,
	verified: Verified | undefined,
): ChainState {
	const problem = verified?.result.problems.find((problem) => ownerOf(problem) === run.runId);
	if (problem !== undefined) return { state: "problem", problem };
	if (task !== undefined && task.endedAt === undefined) return { state: "running" };
	const isMeant = verified?.planId === undefined || verified.planId === run.runId;
	const isCovered = isMeant && verified?.upTo !== undefined && Date.parse(run.newestAt) <= Date.parse(verified.upTo);
	const isWhole = verified?.result.problems.every((problem) => ownerOf(problem) !== "") === true;
	return { state: isCovered && isWhole ? "intact" : "unverified" };
}

/** A call that contains the receipt of a problem. */
export function isDamaged({ first, last }: Pick<ListedCall, "first" | "last">, chain: ChainState): boolean {
	return chain.state === "problem" && chain.problem.n !== undefined && chain.problem.n >= first && chain.problem.n <= last;
}
