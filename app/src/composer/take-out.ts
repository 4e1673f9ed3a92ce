import type { ThreadId } from "@xworkmate/contracts";
import type { Draft } from "../api/ui-api.ts";
import type { SurfaceStore } from "../store/surface-store.ts";
import type { QueuedMessage } from "../threads/index.ts";
import { timestamp } from "../threads/thread-repository.ts";

/**
 * Takes a message out of its thread's queue without losing it: the message becomes the thread's draft if that is requested and there is no
 * draft; otherwise it is kept until it is restored or deleted. At most `maxKept` messages of a thread that the user removed are kept.
 * @returns the draft that it became
 * @throws AppError DISK_FULL, ATTACHMENT_GONE (with `toDraft`)
 */
export function takeOut(
	store: SurfaceStore,
	threadId: ThreadId,
	{ queuedId, attachments: _notes, heldAt: _held, ...body }: QueuedMessage,
	{ toDraft, maxKept }: { readonly toDraft: boolean; readonly maxKept: number },
): Draft | undefined {
	if (toDraft && store.drafts.get(threadId) === undefined) {
		const { createdAt: _at, typed, ...draft } = body;
		store.moveToDraft(threadId, queuedId, { ...draft, prompt: typed ?? draft.prompt, updatedAt: timestamp() });
		return store.drafts.get(threadId);
	}
	store.putQueued(queuedId, { ...body, removedAt: timestamp() });
	const byUser = store.removed(threadId).filter(({ removedFor }) => removedFor === undefined);
	for (const { queuedId: oldest } of byUser.slice(0, -maxKept)) store.dropQueued(oldest);
	return undefined;
}

/**
 * Takes every queued message out of its queue, with the reason, and returns the threads that had some. No message is dropped to make room
 * for others, because nothing else tells the user that the message may have been sent.
 */
export function takeOutRestored(store: Pick<SurfaceStore, "threadsWithQueue" | "queued" | "putQueued">): readonly ThreadId[] {
	const threadIds = store.threadsWithQueue();
	for (const { queuedId, attachments: _notes, heldAt: _held, ...body } of threadIds.flatMap((threadId) => store.queued(threadId)))
		store.putQueued(queuedId, { ...body, removedAt: timestamp(), removedFor: "STORE_RESTORED" });
	return threadIds;
}
