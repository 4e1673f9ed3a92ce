/** Error codes of the system and of SQLite that mean a full disk or a used-up quota. */
const diskFullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** The `code` of an error if it is a string, as in a system error; undefined for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
	if (!(error instanceof Error) || !("code" in error)) return undefined;
	return typeof error.code === "string" ? error.code : undefined;
}

/** True for a code that means that the disk is full or that the user's quota on it is used up. */
export function isDiskFullCode(code: string | undefined): boolean {
	return diskFullCodes.has(code);
}

/** True for a code that means that a path does not exist or that its disk was removed. Any other code is inconclusive. */
export function isGoneCode(code: string | undefined): boolean {
	return code === "ENOENT" || code === "ENOTDIR" || code === "ESTALE" || code === "ENODEV";
}

/**
 * For `catch`: returns undefined if the path does not exist.
 * @throws any other error, unchanged
 */
export function ifAbsent(error: unknown): undefined {
	if (systemErrorCode(error) === "ENOENT") return undefined;
	throw error;
}

/** Like `ifAbsent`, but also returns undefined if something on the way to the path is not a folder. */
export function ifNowhere(error: unknown): undefined {
	return systemErrorCode(error) === "ENOTDIR" ? undefined : ifAbsent(error);
}

/** The message of any thrown value. */
export function errorMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
