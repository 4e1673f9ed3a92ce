import { AppError } from "../errors/app-error.ts";

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
