import type { ThreadId } from "@xworkmate/contracts";
import type { GatewayQueuePosition, QueuePause } from "../api/app-api.ts";
import type { TurnKey } from "../threads/index.ts";
import type { TurnFeed } from "../turns/turn-feed.ts";
import { type GatewayQueueState, placesOf } from "./gateway-queue-state.ts";

/** Reports every change in a waiting turn's position to its watchers. */
export class GatewayQueuePositions {
	readonly #feed: TurnFeed;
	#shown = new Map<string, TurnKey & { readonly place: GatewayQueuePosition }>();

	constructor(feed: TurnFeed) {
		this.#feed = feed;
	}

	/** Returns the threads whose position changed. */
	show(state: GatewayQueueState, paused: QueuePause | undefined): readonly ThreadId[] {
		const before = this.#shown;
		const moved: ThreadId[] = [];
		this.#shown = new Map(placesOf(state, paused).map((entry) => [JSON.stringify([entry.threadId, entry.turnId]), entry]));
		for (const [name, entry] of this.#shown) {
			const old = before.get(name);
			before.delete(name);
			if (JSON.stringify(old?.place) === JSON.stringify(entry.place)) continue;
			this.#feed.show(entry, { gatewayQueue: entry.place });
			moved.push(entry.threadId);
		}
		for (const left of before.values()) this.#feed.leaveQueue(left);
		return [...moved, ...[...before.values()].map(({ threadId }) => threadId)];
	}
}
