/** How the system and SQLite say that there is no room. */
const diskFullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** The code of a system error, or undefined for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
	if (!(error instanceof Error) || !("code" in error)) return undefined;
	return typeof error.code === "string" ? error.code : undefined;
}

/** True for a code that says that the disk is full, or the user's quota on it used up. */
export function isDiskFullCode(code: string | undefined): boolean {
	return diskFullCodes.has(code);
}

/** True for a code that says that a path leads nowhere, also on a disk that was taken away. Other codes say nothing about that. */
export function isGoneCode(code: string | undefined): boolean {
	return code === "ENOENT" || code === "ENOTDIR" || code === "ESTALE" || code === "ENODEV";
}

/** For `catch`: undefined for what is not there. @throws every other error again */
export function ifAbsent(error: unknown): undefined {
	if (systemErrorCode(error) === "ENOENT") return undefined;
	throw error;
}

/** The words of any thrown value. */
export function errorMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
