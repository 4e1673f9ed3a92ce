import type { Occurrence, WorkItem } from "@xworkmate/contracts";
import type { WorkResult } from "./decide-occurrence.ts";

type WorkEnd = Exclude<WorkItem["status"], "pending">;

/** What is known about the work once its run is over. Pure. */
export function workEnd({ run, doubt }: Pick<WorkResult, "run" | "doubt">): WorkEnd {
	if (run.status === "completed") return doubt === undefined ? "completed" : "unverified";
	if (run.status === "interrupted") return "unknown";
	return run.status === "cancelled" ? "cancelled" : "failed";
}

/** How an occurrence without messages ends if its work is not known to be done. */
export const unfinished: Readonly<Record<Exclude<WorkEnd, "completed">, Pick<Occurrence, "status" | "code">>> = {
	cancelled: { status: "cancelled", code: "CANCELLED" },
	failed: { status: "failed", code: "WORK_FAILED" },
	unknown: { status: "failed", code: "WORK_UNKNOWN" },
	unverified: { status: "failed", code: "WORK_NOT_VERIFIED" },
};
