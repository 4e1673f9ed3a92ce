import type { StoredSince } from "../api/app-api.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import type { TurnFeed } from "../turns/turn-feed.ts";
import type { Thread } from "./index.ts";
import { isAtBridge } from "./thread-summaries.ts";

/** Says whether the state of an active run is current. */
export interface Contact {
	readonly active: Pick<ActiveTurns, "isFollowed">;
	readonly feed: Pick<TurnFeed, "isInTouch">;
}

/**
 * The time since which an active run's stored state may be out of date. Empty while this app follows the run and is in contact with the
 * bridge.
 */
export function storedSince({ active, feed }: Contact, { threadId, pendingTurnId: turnId, turns, updatedAt: asOf }: Thread): StoredSince {
	const status = turns.find((turn) => turn.turnId === turnId)?.status;
	if (turnId === undefined || status === undefined || !isAtBridge(status)) return {};
	const key = { threadId, turnId };
	return active.isFollowed(key) && feed.isInTouch(key) ? {} : { asOf };
}
