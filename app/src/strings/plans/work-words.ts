import type { OccurrenceStatus, Plan, WorkItem } from "@xworkmate/contracts";

/** The state of a work item, as the user sees it. */
export type WorkState = WorkItem["status"] | "working" | "asks" | "stopping" | "waiting" | "queued" | "skipped" | "called_off" | "not_done";

/** An item is completed if its run succeeded, which does not prove that the item was done: the agent may have declined to do it. */
export const workStateWords: Readonly<Record<WorkState, string>> = {
	pending: "To do",
	working: "In progress",
	asks: "Needs you",
	stopping: "Stop requested",
	waiting: "Waiting to start",
	queued: "Queued",
	completed: "Run finished",
	failed: "Failed",
	unknown: "Outcome unknown",
	unverified: "Not verified",
	cancelled: "Stopped",
	skipped: "Skipped",
	called_off: "Cancelled",
	not_done: "Not done",
};

/** Why work has not begun. `since`: when it was first refused for this reason. */
export const notBegunWords = "Couldn’t start at {since}: {why} XWorkmate keeps trying.";

/**
 * The state to show for a work item. Its record stays `pending` until a run has ended, so what the item is waiting for follows from its
 * occurrence: `status`, which is absent before the first occurrence, and `run`, which is what is known about the occurrence's active run.
 */
export function workStateOf(
	{ status: recorded }: Pick<WorkItem, "status">,
	status: OccurrenceStatus | undefined,
	run?: "asks" | "stopping" | "waiting" | "queued",
): WorkState {
	if (recorded !== "pending") return recorded;
	switch (status) {
		case undefined:
		case "due":
		// The occurrence is waiting for the user, who may still let the work begin.
		case "needs_review":
			return "pending";
		case "running":
			return run ?? "working";
		case "skipped":
			return "skipped";
		case "cancelled":
			return run ?? "called_off";
		case "delivering":
		case "completed":
		case "failed":
			return "not_done";
	}
}

/**
 * The status to show for the work of a plan that has had no occurrence. Once the plan has been deleted, there will never be an occurrence.
 */
export function statusBeforeDue({ status }: Pick<Plan, "status">): OccurrenceStatus | undefined {
	return status === "deleted" ? "cancelled" : undefined;
}
