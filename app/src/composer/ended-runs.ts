import type { TurnId } from "@xworkmate/contracts";
import { currentTurn, findTurn, isTurnedAway, type Thread } from "../threads/index.ts";

/** True if the thread has no run, or its last one succeeded. */
export function succeeded(thread: Thread): boolean {
	return currentTurn(thread)?.resultCode === "success" || thread.turns.length === 0;
}

/**
 * True if the turn's run succeeded although the user had asked it to stop, and ended with this change. A later download of the run's files
 * does not count as its end, because messages that were queued since then are newer than the request.
 */
export function outranStop(before: Thread, after: Thread, turnId: TurnId): boolean {
	const isFirstEnd = findTurn(before, turnId)?.syncedAt === undefined;
	return isFirstEnd && succeeded(after) && findTurn(after, turnId)?.cancelRequestedAt !== undefined;
}

/** True if the turn was not sent because the app's OpenClaw queue was full. */
export function wasTurnedAway(thread: Thread, turnId: TurnId): boolean {
	const turn = findTurn(thread, turnId);
	return turn !== undefined && isTurnedAway(turn);
}
