import { systemErrorCode } from "../runs/durable-file.ts";

// What a hostile or moving scope can cause on the reading side. Anything else (no descriptors, no memory,
// a broken disk) is the gateway's own trouble and must not be blamed on a file.
const SCOPE_CODES: ReadonlySet<string> = new Set([
	"EACCES",
	"EBUSY",
	"EINVAL",
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

/** True when reading failed because of what lies in the scope. */
export function isScopeError(error: unknown): boolean {
	return error instanceof ScopeMovedError || SCOPE_CODES.has(systemErrorCode(error) ?? "");
}
