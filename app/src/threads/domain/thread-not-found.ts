import { AppError } from "../../errors/app-error.ts";

/** Of an id that has no thread: a wrong one, or that of a thread that was deleted. */
export function threadNotFound(): AppError {
	const message = "There is no thread with this ID. It may have been deleted.";
	return new AppError("THREAD_NOT_FOUND", message, "Choose another thread, or start a new one.");
}
