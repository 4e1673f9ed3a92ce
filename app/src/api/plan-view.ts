import type { Plan, PlanUpdate, Timestamp } from "@xworkmate/contracts";

/** What a list of plans needs in addition to the plans. */
export interface PlanCounts {
	/** The number of plans in which a message or a due time is waiting for the user, or a message's outcome is unknown. */
	readonly needsReview: number;
	/**
	 * The number of plans that wait for the user, including those whose agent waits for an answer. Absent from an app that was started by an
	 * earlier version.
	 */
	readonly needsYou?: number;
	/** The number of unread messages in the inbox. */
	readonly unread: number;
	/** Present while the bridge does not report changes: the time since which it has not reported them. */
	readonly asOf?: Timestamp;
	/**
	 * False until the bridge has listed its plans once, or has turned out to be too old to have any: until then, neither a 0 nor an empty list
	 * means that there are none. Absent from an app that was started by an earlier version.
	 */
	readonly known?: boolean;
}

/** The app's copy of the bridge's plans. */
export interface PlansView extends PlanCounts {
	readonly known: boolean;
	/** Newest first, without deleted ones. */
	readonly plans: readonly Plan[];
}

/** What a watcher of a plan receives, in order. `connection_lost`: the bridge does not answer at the moment; the app keeps asking. */
export type PlanLine =
	| { readonly type: "update"; readonly update: PlanUpdate }
	| { readonly type: "connection_lost" }
	| { readonly type: "connection_restored" };
