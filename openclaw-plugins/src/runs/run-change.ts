import { isOpenClawEnd, limits, type Timestamp } from "@xworkmate/contracts";
import { cutText } from "../platform/cut-text.ts";
import type { RunRecord } from "./run-record.ts";

const MAX_ERROR_BYTES = 4096;

export interface RunEnd {
	readonly kind: "ended";
	readonly state: "completed" | "failed" | "cancelled";
	readonly text?: string;
	readonly error?: string;
	/** Names of tasks that the run started and that are still running. */
	readonly atWork?: readonly string[];
}

export type RunChange =
	| { readonly kind: "begun" }
	| RunEnd
	/** The stop was requested through xworkmate.tasks.cancel. */
	| { readonly kind: "cancel_requested" }
	/** The gateway stopped during the run, so its outcome is unknown. */
	| { readonly kind: "lost" }
	| { readonly kind: "collected" };

/**
 * Applies a change to a run; returns the same record if the change has no effect. The first end is final: OpenClaw sends `end` and then
 * `error` for the same abort. If a run has not begun, the request to cancel it also ends it.
 */
export function applyRunChange(record: RunRecord, change: RunChange, at: Timestamp): RunRecord {
	if (change.kind !== "collected" && isOpenClawEnd(record.state)) return record;
	switch (change.kind) {
		case "collected":
			return record.collectedAt === undefined ? { ...record, collectedAt: at } : record;
		case "begun":
			return record.state === "prepared" ? { ...record, state: "running", startedAt: at } : record;
		case "cancel_requested":
			if (record.state === "prepared") return { ...record, cancelRequested: true, state: "cancelled", endedAt: at };
			return record.cancelRequested ? record : { ...record, cancelRequested: true };
		case "lost":
			return { ...record, state: "lost", endedAt: at };
		case "ended":
			return { ...record, state: change.state, endedAt: at, ...endFields(change) };
	}
}

function endFields({ text, error, atWork = [] }: RunEnd): Pick<RunRecord, "output" | "error" | "atWork"> {
	return {
		...(atWork.length > 0 && { atWork: [...atWork] }),
		...(text !== undefined && text !== "" && { output: cutText(text, limits.outputBytes) }),
		...(error !== undefined && { error: cutText(error, MAX_ERROR_BYTES).text }),
	};
}
