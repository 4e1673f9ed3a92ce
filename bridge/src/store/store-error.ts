/**
 * Why the store failed. HOME_IN_USE to STORE_UNAVAILABLE concern the file or the home, mostly at startup. EVENT_GAP to STORE_REFUSED
 * concern a write that the stored data does not allow, which is the caller's fault. The others occur at any time: a full disk, a missing
 * home, an unknown error.
 */
export type StoreErrorCode =
	| "HOME_IN_USE"
	| "STORE_NEWER"
	| "STORE_CORRUPT"
	| "STORE_FOREIGN"
	| "STORE_MIGRATION_FAILED"
	| "STORE_UNAVAILABLE"
	| "EVENT_GAP"
	| "RUN_SEALED"
	| "RUN_UNKNOWN"
	| "THREAD_UNKNOWN"
	| "APPEND_INVALID"
	| "STORE_REFUSED"
	| "STORE_FULL"
	| "HOME_GONE"
	| "STORE_FAILED";

export interface StoreErrorOptions {
	/** The affected file or directory. */
	readonly file?: string;
	/** How the user can fix it; also part of the message. */
	readonly fix?: string;
	readonly cause?: unknown;
}

/** The store's own error: a stable code, and a message that ends with the fix if there is one. */
export class StoreError extends Error {
	override readonly name = "StoreError";
	readonly code: StoreErrorCode;
	readonly file: string | undefined;
	readonly fix: string | undefined;

	constructor(code: StoreErrorCode, what: string, options: StoreErrorOptions = {}) {
		super(options.fix === undefined ? what : `${what} ${options.fix}`, options.cause === undefined ? {} : { cause: options.cause });
		this.code = code;
		this.file = options.file;
		this.fix = options.fix;
	}
}
