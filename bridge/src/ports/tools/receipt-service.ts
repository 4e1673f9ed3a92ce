import type { MethodParams, MethodResult, PlanId, RunId, VerificationProgress } from "@xworkmate/contracts";

type Served = "list" | "get";

/** `xworkmate.receipts.*` and `xworkmate.activity.get`. Every refusal is a ContractError. */
export type ReceiptService = {
	readonly [Name in Served]: (params: MethodParams<`xworkmate.receipts.${Name}`>) => Promise<MethodResult<`xworkmate.receipts.${Name}`>>;
} & {
	/**
	 * Runs for a long time. `whenGone` returns a signal that aborts when the caller has disconnected. `said` is called often with the
	 * progress.
	 */
	verify(
		params: MethodParams<"xworkmate.receipts.verify">,
		whenGone?: () => AbortSignal,
		said?: (progress: VerificationProgress) => void,
	): Promise<MethodResult<"xworkmate.receipts.verify">>;
	activity(params: MethodParams<"xworkmate.activity.get">): Promise<MethodResult<"xworkmate.activity.get">>;
};

/** Receipts as files. Every refusal is a ContractError. */
export interface ReceiptExport {
	/**
	 * Lines of JSON: a header, the receipts of one run, of one plan or of all, and the ledger.
	 * @throws NOT_FOUND, INVALID_PARAMS before the first line
	 */
	lines(of: { readonly runId?: RunId | undefined; readonly planId?: PlanId | undefined }): Promise<AsyncIterable<string>>;
	/**
	 * The canonical text of a run's activity.
	 * @throws NOT_FOUND
	 */
	activity(runId: RunId): Promise<string>;
}
