import type { Plan, PlanUpdate, Timestamp } from "@xworkmate/contracts";

/** What a list of plans needs besides the plans. */
export interface PlanCounts {
	/** Plans with a message that waits for the user. */
	readonly needsReview: number;
	/** Messages in the inbox that were not read. */
	readonly unread: number;
	/** Present while the bridge does not report changes: when it last did. */
	readonly asOf?: Timestamp;
}

/** The app's copy of the bridge's plans. */
export interface PlansView extends PlanCounts {
	/** False until the bridge has listed them once: there may be plans although the list is empty. */
	readonly known: boolean;
	/** Newest first, without deleted ones. */
	readonly plans: readonly Plan[];
}

/** What a watcher of a plan receives, in order. `connection_lost`: the bridge does not report at the moment, and is asked again. */
export type PlanLine =
	| { readonly type: "update"; readonly update: PlanUpdate }
	| { readonly type: "connection_lost" }
	| { readonly type: "connection_restored" };
