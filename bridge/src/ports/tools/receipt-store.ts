import type {
	ActionId,
	ChainOwner,
	LedgerEnd,
	PlanId,
	Receipt,
	ReceiptOrigin,
	ReceiptType,
	RunId,
	ThreadId,
	Timestamp,
	ToolCallId,
} from "@xworkmate/contracts";
import type { Page } from "../page.ts";

export interface ReceiptQuery {
	readonly runId?: RunId | undefined;
	/** Only receipts of what happened to this plan's messages. */
	readonly planId?: PlanId | undefined;
	readonly threadId?: ThreadId | undefined;
	readonly toolId?: string | undefined;
	readonly type?: ReceiptType | undefined;
	readonly origin?: ReceiptOrigin | undefined;
	/** Inclusive. */
	readonly since?: Timestamp | undefined;
	/** Exclusive. */
	readonly until?: Timestamp | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}

/** A run that has receipts. */
export interface ReceiptedRun {
	readonly runId: RunId;
	/** True if the run has a terminal event. */
	readonly isOver: boolean;
	/** True if the run's thread is being deleted, along with the run's receipts. */
	readonly isDeleting: boolean;
}

/** The row of a receipt, and the text of its event, which is absent if the event is missing. */
export interface ReceiptText {
	readonly n: number;
	readonly text?: string;
}

/**
 * Reads receipts. They are written by the logs of runs and plans, in the commit of their events, and a receipt's content is the body of its
 * event.
 */
export interface ReceiptStore {
	/**
	 * Newest first.
	 * @throws ContractError INVALID_PARAMS for a cursor that is damaged or belongs to another list
	 */
	listReceipts(query: ReceiptQuery): Promise<Page<Receipt>>;
	findReceipt(owner: ChainOwner, n: number): Promise<Receipt | undefined>;
	/** All receipts of a call, oldest first. */
	ofCall(runId: RunId, toolCallId: ToolCallId): Promise<readonly Receipt[]>;
	/** All receipts of a plan's message, oldest first. */
	ofAction(planId: PlanId, actionId: ActionId): Promise<readonly Receipt[]>;
	/**
	 * The receipts of a run or a plan after a number, in order and unparsed, at most `limit`. Empty if the run or the plan is being deleted.
	 */
	textsOf(owner: ChainOwner, after: number, limit: number): Promise<readonly ReceiptText[]>;
	/** How many receipts there are, of one run, of one plan, or of all. */
	countReceipts(of: { readonly runId?: RunId | undefined; readonly planId?: PlanId | undefined }): Promise<number>;
	/** The last receipt of a run or a plan, even of one that is being deleted. */
	lastOf(owner: ChainOwner): Promise<Receipt | undefined>;
	/**
	 * At most `limit` runs that have receipts, starting after a position in a fixed order. `next` is the position to continue after; it is
	 * absent if there are no more.
	 */
	runsAfter(after: number, limit: number): Promise<{ readonly runs: readonly ReceiptedRun[]; readonly next?: number }>;
	/**
	 * At most `limit` plans that have receipts, starting after a position in a fixed order. `next` is the position to continue after; it is
	 * absent if there are no more.
	 */
	plansAfter(after: number, limit: number): Promise<{ readonly plans: readonly PlanId[]; readonly next?: number }>;
	hasPlan(planId: PlanId): Promise<boolean>;
	/** One run, with or without receipts; undefined if it does not exist. */
	findRun(runId: RunId): Promise<ReceiptedRun | undefined>;
}

/** What the database remembers about the ledger, so that the loss of the ledger's end is noticed. */
export interface LedgerEndStore {
	read(): Promise<LedgerEnd | undefined>;
	/** A write survives the end of the process but not a power cut, after which the ledger may be ahead. */
	write(end: LedgerEnd): Promise<void>;
}
