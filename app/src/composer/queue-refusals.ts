import type { ThreadId, TurnId } from "@xworkmate/contracts";
import { AppError } from "../errors/app-error.ts";
import { type Failure, toFailure } from "../errors/failure.ts";
import type { QueuedMessage } from "../threads/index.ts";

interface QueueRefusal {
	readonly queuedId: TurnId;
	readonly refusal: Failure;
}

/**
 * Why the next message of each thread's queue could not be sent. Nothing sends it again until the user resumes or changes the queue, or the
 * app starts again, so this is kept in memory only.
 */
export class QueueRefusals {
	readonly #last = new Map<ThreadId, QueueRefusal>();

	put(threadId: ThreadId, queuedId: TurnId, error: unknown): void {
		this.#last.set(threadId, { queuedId, refusal: toFailure(error) });
	}

	clear(threadId: ThreadId): void {
		this.#last.delete(threadId);
	}

	/** The messages, with the refusal at the one that was refused. */
	noted(threadId: ThreadId, queued: readonly QueuedMessage[]): readonly QueuedMessage[] {
		const refused = this.#last.get(threadId);
		return refused === undefined
			? queued
			: queued.map((message) => (message.queuedId === refused.queuedId ? { ...message, refusal: refused.refusal } : message));
	}
}

/** How many messages a thread's queue holds. */
export const MAX_QUEUED = 20;

export function queueFull(): AppError {
	return new AppError(
		"INVALID_INPUT",
		`${MAX_QUEUED} messages are already queued, so this one was not added.`,
		"Remove one from the queue, or try again after one has been sent.",
	);
}

export function beingEdited(): AppError {
	return new AppError("THREAD_BUSY", "The next message is being edited.", "Save or discard the edit first.");
}

export function beingSent(): AppError {
	return new AppError("THREAD_BUSY", "This message is already being sent.", "Wait until it has been sent.");
}

export function notQueued(): AppError {
	return new AppError(
		"QUEUED_NOT_FOUND",
		"The thread's queue has changed in the meantime, so nothing was done.",
		"Reload the thread to see its queue.",
	);
}
