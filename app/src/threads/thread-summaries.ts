import { omitUndefined, type ThreadId, type Timestamp } from "@xworkmate/contracts";
import type { GatewayQueueView, SentTurn } from "../api/app-api.ts";
import type { GatewayQueuePosition, ThreadSummary } from "../api/ui-views.ts";
import { placesOf, queueStateOf } from "../gateway-queue/index.ts";
import type { CurrentSteps } from "./current-steps.ts";
import type { ListedThread, SqliteThreadStore, Turn } from "./index.ts";
import type { ThreadList } from "./thread-list.ts";
import type { ThreadRepository } from "./thread-repository.ts";

export interface ThreadSummariesParts {
	readonly store: SqliteThreadStore;
	readonly list: ThreadList;
	readonly steps: CurrentSteps;
	readonly gatewayQueue: () => GatewayQueueView;
	readonly queueChanges: (threadId: ThreadId) => number | undefined;
	readonly repository: Pick<ThreadRepository, "find">;
	readonly isInTouch: (key: SentTurn) => boolean;
}

/** Threads as a list shows them, with what is not written down: the place in the queue, and what the run does. */
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

	#withNow(thread: ListedThread, places: ReadonlyMap<ThreadId, GatewayQueuePosition>): ThreadSummary {
		const gatewayQueue = places.get(thread.threadId);
		const doing = this.#parts.steps.of(thread.threadId);
		const asOf = this.#asOf(thread);
		const queueChanges = this.#parts.queueChanges(thread.threadId);
		if (gatewayQueue === undefined && doing === undefined && asOf === undefined && queueChanges === undefined) return thread;
		return { ...thread, ...omitUndefined({ gatewayQueue, doing, asOf, queueChanges }) };
	}

	/** Time of the last update of a run that contact was lost with; the list's own time does not change with a run's updates. */
	#asOf({ threadId, pendingTurnId, lastTurn, updatedAt }: ListedThread): Timestamp | undefined {
		if (pendingTurnId === undefined || lastTurn?.turnId !== pendingTurnId || !isAtBridge(lastTurn.status)) return undefined;
		if (this.#parts.isInTouch({ threadId, turnId: pendingTurnId })) return undefined;
		return this.#parts.repository.find(threadId)?.updatedAt ?? updatedAt;
	}

	#places(): ReadonlyMap<ThreadId, GatewayQueuePosition> {
		const places = placesOf(queueStateOf(this.#parts.store.gatewayTurns()), this.#parts.gatewayQueue().paused);
		return new Map(places.map(({ threadId, place }) => [threadId, place]));
	}
}

/** The bridge has the turn, or may have it: the app alone does not know how it is. */
export function isAtBridge(status: Turn["status"]): boolean {
	return status === "sending" || status === "queued" || status === "running";
}
