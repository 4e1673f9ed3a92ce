import { AppError } from "../../errors/app-error.ts";

/** The error for an id without a thread: the id is wrong, or the thread was deleted. */
export function threadNotFound(): AppError {
	const message = "There is no thread with this id. It may have been deleted.";
	return new AppError("THREAD_NOT_FOUND", message, "Choose another thread, or start a new one.");
}
