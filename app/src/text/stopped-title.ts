import { fill, words } from "../strings/interface.ts";
import { formatSpan } from "./format-measure.ts";

/** Who ended a run that was asked to stop: the user, or the time limit that was given with it. */
export function stoppedTitle({ stoppedAfterMs }: { readonly stoppedAfterMs?: number }): string {
	if (stoppedAfterMs === undefined) return words.outcome.cancelled;
	return fill(words.outcome.timedOut, { time: formatSpan(stoppedAfterMs) });
}
