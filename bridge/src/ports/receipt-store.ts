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
import type { Page } from "./page.ts";

export interface ReceiptQuery {
	readonly runId?: RunId | undefined;
	/** Of what became of a plan's messages. */
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
	/** It has a terminal event. */
	readonly isOver: boolean;
	/** Its thread is being deleted, so its receipts are going. */
	readonly isDeleting: boolean;
}

/** A receipt's row, and its event's text; absent: the event is gone. */
export interface ReceiptText {
	readonly n: number;
	readonly text?: string;
}

/** Receipts are written by the logs of runs and plans, in the commit of their events; their bodies are the events'. */
export interface ReceiptStore {
	/** Newest first. A cursor of another list or a damaged one throws ContractError INVALID_PARAMS. */
	listReceipts(query: ReceiptQuery): Promise<Page<Receipt>>;
	findReceipt(owner: ChainOwner, n: number): Promise<Receipt | undefined>;
	/** All receipts of a call, oldest first. */
	ofCall(runId: RunId, toolCallId: ToolCallId): Promise<readonly Receipt[]>;
	/** All receipts of a plan's message, oldest first. */
	ofAction(planId: PlanId, actionId: ActionId): Promise<readonly Receipt[]>;
	/** The receipts of a run or a plan after a number, in order and not parsed, at most `limit`. Empty for one that is being deleted. */
	textsOf(owner: ChainOwner, after: number, limit: number): Promise<readonly ReceiptText[]>;
	/** How many receipts there are, of one run, of one plan, or of all. */
	countReceipts(of: { readonly runId?: RunId | undefined; readonly planId?: PlanId | undefined }): Promise<number>;
	/** The last receipt of a run or a plan, also of one that is being deleted. */
	lastOf(owner: ChainOwner): Promise<Receipt | undefined>;
	/** Runs that have receipts after a run in this order, at most `limit`. `next` continues; absent: there are no more. */
	runsAfter(after: number, limit: number): Promise<{ readonly runs: readonly ReceiptedRun[]; readonly next?: number }>;
	/** Plans that have receipts after a plan in this order, at most `limit`. `next` continues; absent: there are no more. */
	plansAfter(after: number, limit: number): Promise<{ readonly plans: readonly PlanId[]; readonly next?: number }>;
	hasPlan(planId: PlanId): Promise<boolean>;
	/** One run, with or without receipts; undefined if it is not there. */
	findRun(runId: RunId): Promise<ReceiptedRun | undefined>;
}

/** What the database keeps of the ledger, so that a cut end is noticed. */
export interface LedgerEndStore {
	read(): Promise<LedgerEnd | undefined>;
	/** Survives the end of the process but not a power cut, after which the ledger may be ahead. */
	write(end: LedgerEnd): Promise<void>;
}
