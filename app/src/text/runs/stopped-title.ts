import { fill, words } from "../../strings/interface.ts";
import type { Turn } from "../../threads/domain/thread.ts";
import { formatSpan } from "../format-measure.ts";

/** A run that ends within this time after it was asked to stop is said to have stopped at its time limit. */
const SOON_MS = 2_000;

/**
 * Who ended a cancelled turn, as far as this app knows: the user, or the turn's time limit. A run that the app did not ask to stop was
 * stopped by another program, or with its plan. A turn without a run was removed from the app's own queue.
 */
export function stoppedTitle(turn: Pick<Turn, "stoppedAfterMs" | "cancelRequestedAt" | "runId" | "endedAt">): string {
	const { stoppedAfterMs, cancelRequestedAt, runId } = turn;
	if (stoppedAfterMs !== undefined) return timedOut(turn, formatSpan(stoppedAfterMs));
	return cancelRequestedAt !== undefined || runId === undefined ? words.outcome.cancelled : words.outcome.stopped;
}

/**
 * An agent may keep working until it is killed. The app may learn late that a run has ended, so the time until the recorded end is an upper
 * limit.
 */
function timedOut({ cancelRequestedAt, endedAt }: Pick<Turn, "cancelRequestedAt" | "endedAt">, time: string): string {
	const laterMs = cancelRequestedAt === undefined || endedAt === undefined ? 0 : Date.parse(endedAt) - Date.parse(cancelRequestedAt);
	if (laterMs < SOON_MS) return fill(words.outcome.timedOut, { time });
	return fill(words.outcome.timedOutLate, { time, later: formatSpan(Math.ceil(laterMs / 1000) * 1000) });
}
