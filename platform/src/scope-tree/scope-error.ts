import { systemErrorCode } from "../errors/system-error.ts";

// What a hostile or moving scope can cause on the reading side. Anything else (no descriptors, no
// memory, a full disk) is the bridge's own trouble and must not be blamed on the file.
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

/** The file is no longer where it was found, or was never inside the scope. */
export class ScopeMovedError extends Error {
	override readonly name = "ScopeMovedError";
	readonly code = "SCOPE_MOVED";
}

/** True when reading failed because of what lies in the scope, not because of the bridge. */
export function isScopeError(error: unknown): boolean {
	if (error instanceof ScopeMovedError) return true;
	const code = systemErrorCode(error);
	return code !== undefined && SCOPE_CODES.has(code);
}
