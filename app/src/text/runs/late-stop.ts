import { fill, words } from "../../strings/interface.ts";
import type { Turn } from "../../threads/domain/thread.ts";
import { formatSpan } from "../format-measure.ts";

const untouched: ReadonlySet<Turn["status"]> = new Set(["completed", "artifact_missing"]);

/** What to say of a run that was asked to stop, and that had done its work by then. Undefined for all other runs. */
export function lateStop({ status, cancelRequestedAt, stoppedAfterMs }: Pick<Turn, "status" | "cancelRequestedAt" | "stoppedAfterMs">) {
	if (cancelRequestedAt === undefined || !untouched.has(status)) return undefined;
	return stoppedAfterMs === undefined ? words.run.stopTooLate : fill(words.run.limitTooLate, { time: formatSpan(stoppedAfterMs) });
}
