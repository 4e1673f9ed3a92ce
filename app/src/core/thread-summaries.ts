import type { ThreadId } from "@xworkmate/contracts";
import { laneOf, placesOf } from "../lane/index.ts";
import type { ListedThread, SqliteThreadStore } from "../threads/index.ts";
import type { LaneView } from "./app-api.ts";
import type { RunDoings } from "./run-doings.ts";
import type { ThreadList } from "./thread-list.ts";
import type { LanePlace, ThreadSummary } from "./ui-views.ts";

export interface ThreadSummariesParts {
	readonly store: SqliteThreadStore;
	readonly list: ThreadList;
	readonly doings: RunDoings;
	readonly lane: () => LaneView;
}

/** Threads as a list shows them, with what is not written down: the place in the lane, and what the run does. */
export class ThreadSummaries {
	readonly #parts: ThreadSummariesParts;

	constructor(parts: ThreadSummariesParts) {
		this.#parts = parts;
	}

	all(): readonly ThreadSummary[] {
		const places = this.#places();
		return this.#parts.list.all().map((thread) => this.#withNow(thread, places));
	}

	get(threadId: ThreadId): ThreadSummary | undefined {
		const thread = this.#parts.list.get(threadId);
		return thread && this.#withNow(thread, thread.lifecycleStatus === "queued" ? this.#places() : new Map());
	}

	#withNow(thread: ListedThread, places: ReadonlyMap<ThreadId, LanePlace>): ThreadSummary {
		const lane = places.get(thread.threadId);
		const doing = this.#parts.doings.of(thread.threadId);
		return lane === undefined && doing === undefined ? thread : { ...thread, ...(lane && { lane }), ...(doing !== undefined && { doing }) };
	}

	#places(): ReadonlyMap<ThreadId, LanePlace> {
		const places = placesOf(laneOf(this.#parts.store.gatewayTurns()), this.#parts.lane().paused);
		return new Map(places.map(({ threadId, place }) => [threadId, place]));
	}
}
