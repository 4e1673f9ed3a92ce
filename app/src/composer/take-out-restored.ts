import type { ThreadId } from "@xworkmate/contracts";
import type { SurfaceStore } from "../store/surface-store.ts";
import { timestamp } from "../threads/thread-repository.ts";

/**
 * Takes every queued message out of its queue, with the reason, and returns the threads that had some. None is dropped to make room for
 * others, because nothing else tells the user that it may have been sent.
 */
export function takeOutRestored(store: Pick<SurfaceStore, "threadsWithQueue" | "queued" | "putQueued">): readonly ThreadId[] {
	const threadIds = store.threadsWithQueue();
	for (const { queuedId, attachments: _notes, heldAt: _held, ...body } of threadIds.flatMap((threadId) => store.queued(threadId)))
		store.putQueued(queuedId, { ...body, removedAt: timestamp(), removedFor: "STORE_RESTORED" });
	return threadIds;
}
