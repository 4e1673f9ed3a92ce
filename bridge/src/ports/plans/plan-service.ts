import type { ActionId, Deliverable, MethodParams, MethodResult, OccurrenceId, PlanId } from "@xworkmate/contracts";
import type { FedPlanEvent, Payload } from "./plan-event.ts";

type PlanCall =
	| "extract"
	| "create"
	| "update"
	| "get"
	| "list"
	| "occurrences"
	| "updates"
	| "schedule"
	| "run"
	| "pause"
	| "resume"
	| "delete"
	| "cancel"
	| "preview"
	| "review"
	| "settle"
	| "resend";

/** What the RPC methods need from plans. Every refusal is a ContractError. */
export type PlanService = {
	readonly [C in PlanCall]: (params: MethodParams<`xworkmate.plans.${C}`>) => Promise<MethodResult<`xworkmate.plans.${C}`>>;
} & {
	/**
	 * The next updates after a feedSeq.
	 * @throws SEQ_AHEAD
	 */
	page(query: { readonly planId: PlanId | undefined; readonly afterFeedSeq: number }): Promise<MethodResult<"xworkmate.plans.subscribe">>;
	readonly feed: PlanFeed;
};

/** The events of all plans, in the order of their commits. */
export interface PlanFeed {
	/**
	 * Events after a feedSeq, at most `limit`.
	 * @throws SEQ_AHEAD
	 */
	read(query: { readonly planId?: PlanId; readonly afterFeedSeq: number; readonly limit: number }): Promise<readonly FedPlanEvent[]>;
	last(): Promise<number>;
	/** True if no occurrence is open, and the plan was deleted, or has been due and is neither paused nor due again. */
	isOver(planId: PlanId): Promise<boolean>;
	/** Calls back when there may be more to read. Returns a function that unsubscribes. */
	onChanged(listener: () => void): () => void;
}

/** The messages as they are stored and sent. */
export interface PlanFiles {
	/** @throws ContractError NOT_FOUND, also if there is no deliverable */
	deliverable(occurrenceId: OccurrenceId): Promise<Deliverable>;
	/**
	 * The bytes that were built for a message.
	 * @throws ContractError NOT_FOUND, also if none were built
	 */
	payload(actionId: ActionId): Promise<Payload>;
}
