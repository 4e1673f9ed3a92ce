import type { QueuedMessage } from "../threads/index.ts";
import { timestamp } from "../threads/thread-repository.ts";

/** True if messages of the queue are held until the user resumes it. */
export function staysHeld(queued: readonly QueuedMessage[]): boolean {
	return queued.some(({ heldAt }) => heldAt !== undefined);
}

/** The mark of a message that is put into the queue. In a held queue, each message has one, so that removing the others sends none. */
export function markIn(queued: readonly QueuedMessage[]): Pick<QueuedMessage, "heldAt"> {
	return staysHeld(queued) ? { heldAt: timestamp() } : {};
}
