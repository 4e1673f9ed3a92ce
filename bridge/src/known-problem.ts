import { systemErrorCode } from "@xworkmate/platform/errors";
import { ConfigError } from "./config/config-error.ts";
import { StoreError } from "./store/store-error.ts";

const elsewhere = "set XWORKMATE_HOME to a folder on another disk";

const reasons: Readonly<Record<string, string>> = {
	ENOSPC: `the disk is full. Free some space, or ${elsewhere}.`,
	EDQUOT: `your quota on that disk is used up. Free some space, or ${elsewhere}.`,
	EROFS: `its file system is read-only. Make it writable, or ${elsewhere}.`,
	EACCES: "permission was denied. Check its owner and permissions, or set XWORKMATE_HOME to a folder of your own.",
	EPERM: "permission was denied. Check its owner and permissions, or set XWORKMATE_HOME to a folder of your own.",
};

/**
 * Why the bridge does not start or continue, with the path and the fix, in one line; undefined for a bug. Names `home` if the system names
 * no path, as for a file that is already open.
 */
export function knownProblem(error: unknown, home: string): string | undefined {
	if (error instanceof ConfigError) return `${error.message} ${error.fix}`;
	if (error instanceof StoreError) return error.message;
	const reason = reasons[systemErrorCode(error) ?? ""];
	if (!(error instanceof Error) || reason === undefined) return undefined;
	return `${"path" in error && typeof error.path === "string" ? error.path : home} can't be written because ${reason}`;
}
