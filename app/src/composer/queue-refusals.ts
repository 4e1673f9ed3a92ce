import type { ThreadId, TurnId } from "@xworkmate/contracts";
import { type Failure, toFailure } from "../errors/failure.ts";
import type { QueuedMessage } from "../threads/index.ts";

interface QueueRefusal {
	readonly queuedId: TurnId;
	readonly refusal: Failure;
}

/**
 * Why the next message of each thread's queue could not be sent. Kept only in memory, because nothing sends the message again until the
 * user resumes or changes the queue, or the app restarts.
 */
export class QueueRefusals {
	readonly #last = new Map<ThreadId, QueueRefusal>();

	put(threadId: ThreadId, queuedId: TurnId, error: unknown): void {
		this.#last.set(threadId, { queuedId, refusal: toFailure(error) });
	}

	clear(threadId: ThreadId): void {
		this.#last.delete(threadId);
	}

	/** The messages; the one that was refused has its refusal. */
	noted(threadId: ThreadId, queued: readonly QueuedMessage[]): readonly QueuedMessage[] {
		const refused = this.#last.get(threadId);
		return refused === undefined
			? queued
			: queued.map((message) => (message.queuedId === refused.queuedId ? { ...message, refusal: refused.refusal } : message));
	}
}
