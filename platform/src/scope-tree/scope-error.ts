import { systemErrorCode } from "../errors/system-error.ts";

// Errors that a hostile or changing scope can cause while it is read. Any other error (no descriptors, no memory, a full disk) is the
// reader's own and must not be blamed on the file.
const SCOPE_CODES: ReadonlySet<string> = new Set([
	"EACCES",
	"EBUSY",
	"EINVAL",
	"EIO",
	"EISDIR",
	"ELOOP",
	"ENAMETOOLONG",
	"ENODEV",
	"ENOENT",
	"ENOTDIR",
	"ENXIO",
	"EOPNOTSUPP",
	"EPERM",
	"ESTALE",
	"ETXTBSY",
]);

/** A file or directory is not where it was found or created, or was never inside the scope. */
export class ScopeMovedError extends Error {
	override readonly name = "ScopeMovedError";
	readonly code = "SCOPE_MOVED";
}

/** True if reading failed because of the scope's content, not because of the reader. */
export function isScopeError(error: unknown): boolean {
	if (error instanceof ScopeMovedError) return true;
	const code = systemErrorCode(error);
	return code !== undefined && SCOPE_CODES.has(code);
}
