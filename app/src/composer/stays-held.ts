import type { QueuedMessage } from "../threads/index.ts";

/** True if messages of the queue are held until the user resumes it. */
export function staysHeld(queued: readonly QueuedMessage[]): boolean {
	return queued.some(({ heldAt }) => heldAt !== undefined);
}
