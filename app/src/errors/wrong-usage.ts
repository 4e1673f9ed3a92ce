import { AppError, type AppErrorCode } from "./app-error.ts";

/**
 * The command line or the piped input is wrong regardless of what the home contains. Thrown before anything is done. The command exits with
 * 2, as for an unknown option.
 */
export class WrongUsage extends AppError {
	override readonly name = "WrongUsage";

	constructor(message: string, fix: string, cause?: unknown, code: AppErrorCode = "INVALID_INPUT") {
		super(code, message, fix, cause);
	}
}

/**
 * Checks what was typed with a function that the page uses too.
 * @throws WrongUsage instead of AppError
 */
export function checkTyped<T>(check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw error instanceof AppError ? new WrongUsage(error.message, error.fix, error, error.code) : error;
	}
}
