import { omitUndefined, type ThreadId, type Timestamp } from "@xworkmate/contracts";
import type { GatewayQueuePosition, ThreadSummary } from "../api/ui-api.ts";
import type { ThreadQueue } from "../composer/thread-queue.ts";
import type { GatewayQueue } from "../gateway-queue/index.ts";
import type { SqliteThreadStore } from "../store/sqlite-thread-store.ts";
import type { TurnFeed } from "../turns/turn-feed.ts";
import type { AppEvents } from "./app-events.ts";
import type { CurrentSteps } from "./current-steps.ts";
import type { ListedThread, Turn } from "./index.ts";
import { listFingerprint } from "./list-fingerprint.ts";
import type { ThreadList } from "./thread-list.ts";
import type { ThreadRepository } from "./thread-repository.ts";

export interface ThreadSummariesParts {
	readonly store: Pick<SqliteThreadStore, "pendingTurns">;
	readonly list: ThreadList;
	readonly steps: CurrentSteps;
	readonly gatewayQueue: Pick<GatewayQueue, "places">;
	readonly threadQueue: Pick<ThreadQueue, "changesOf" | "isStuck">;
	readonly repository: Pick<ThreadRepository, "find">;
	readonly feed: Pick<TurnFeed, "isInTouch">;
	readonly events: AppEvents;
}

/** Threads as a list shows them, including what is not stored, such as the position in the queue and the current step of the run. */
export class ThreadSummaries {
	readonly #parts: ThreadSummariesParts;

	constructor(parts: ThreadSummariesParts) {
		this.#parts = parts;
		const { store, events } = parts;
		events.on("threadWritten", ({ threadId, before, after }) => {
			if (listFingerprint(before) !== listFingerprint(after)) events.emit("summaryChanged", threadId);
		});
		// Whether an active run's state is current depends on contact with the bridge.
		events.on("bridgeChanged", () => {
			for (const { threadId } of store.pendingTurns()) events.emit("summaryChanged", threadId);
		});
	}

	all(): readonly ThreadSummary[] {
		const { places } = this.#parts.gatewayQueue;
		return this.#parts.list.all().map((thread) => this.#withNow(thread, places));
	}

	get(threadId: ThreadId): ThreadSummary | undefined {
		const thread = this.#parts.list.get(threadId);
		return thread && this.#withNow(thread, thread.lifecycleStatus === "queued" ? this.#parts.gatewayQueue.places : new Map());
	}

	#withNow(thread: ListedThread, places: ReadonlyMap<ThreadId, GatewayQueuePosition>): ThreadSummary {
		const gatewayQueue = places.get(thread.threadId);
		const doing = this.#parts.steps.of(thread.threadId);
		const asOf = this.#asOf(thread);
		const queueChanges = this.#parts.threadQueue.changesOf(thread.threadId);
		const isQueueStuck = (thread.queuedCount > 0 && this.#parts.threadQueue.isStuck(thread)) || undefined;
		return { ...thread, ...omitUndefined({ gatewayQueue, doing, asOf, queueChanges, isQueueStuck }) };
	}

	/** When the thread's run last sent an update, if the app has lost contact with it. */
	#asOf({ threadId, pendingTurnId, lastTurn, updatedAt }: ListedThread): Timestamp | undefined {
		if (pendingTurnId === undefined || lastTurn?.turnId !== pendingTurnId || !isAtBridge(lastTurn.status)) return undefined;
		if (this.#parts.feed.isInTouch({ threadId, turnId: pendingTurnId })) return undefined;
		return this.#parts.repository.find(threadId)?.updatedAt ?? updatedAt;
	}
}

/** True if the bridge has the turn or may have it, so that the app alone does not know its state. */
export function isAtBridge(status: Turn["status"]): boolean {
	return status === "sending" || status === "queued" || status === "running";
}
