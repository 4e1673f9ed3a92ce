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

const another = "Set XWORKMATE_BRIDGE_LISTEN to another address.";

const listenReasons: Readonly<Record<string, string>> = {
	EADDRINUSE: "another program uses that port. End that program, or set XWORKMATE_BRIDGE_LISTEN to another port.",
	EACCES: `permission was denied. ${another}`,
	EADDRNOTAVAIL: `this computer has no such address. ${another}`,
};

/**
 * Why the bridge does not start or continue, with the path and the fix, in one line; undefined for a bug. Names `home` if the system names
 * no path, as for a file that is already open.
 */
export function knownProblem(error: unknown, home: string): string | undefined {
	if (error instanceof ConfigError) return `${error.message} ${error.fix}`;
	if (error instanceof StoreError) return error.message;
	const code = systemErrorCode(error) ?? "";
	if (error instanceof Error && "syscall" in error && error.syscall === "listen" && "address" in error && "port" in error) {
		const reason = listenReasons[code];
		return reason && `The bridge can't listen on ${error.address}:${error.port} because ${reason}`;
	}
	const reason = reasons[code];
	if (!(error instanceof Error) || reason === undefined) return undefined;
	return `${"path" in error && typeof error.path === "string" ? error.path : home} can't be written because ${reason}`;
}
