import { fill, words } from "../strings/interface.ts";
import type { Turn } from "../threads/domain/thread.ts";
import { formatSpan } from "./format-measure.ts";

/**
 * Who ended a cancelled turn, as far as this app knows: the user, or the time limit that was set with it. A run that the app did not ask
 * to stop was stopped by another program, or with its plan. A turn without a run was taken from the app's own queue.
 */
export function stoppedTitle({
	stoppedAfterMs,
	cancelRequestedAt,
	runId,
}: Pick<Turn, "stoppedAfterMs" | "cancelRequestedAt" | "runId">): string {
	if (stoppedAfterMs !== undefined) return fill(words.outcome.timedOut, { time: formatSpan(stoppedAfterMs) });
	return cancelRequestedAt !== undefined || runId === undefined ? words.outcome.cancelled : words.outcome.stopped;
}
