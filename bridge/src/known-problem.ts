import { systemErrorCode } from "@xworkmate/platform/errors";
import { ConfigError } from "./config/config-error.ts";
import { WebhookListenError } from "./ports/channels/webhook-listen-error.ts";
import { StoreError } from "./store/store-error.ts";

const elsewhere = "set XWORKMATE_HOME to a folder on another disk";

const reasons: Readonly<Record<string, string>> = {
	ENOSPC: `can't be written because the disk is full. Free some space, or ${elsewhere}.`,
	EDQUOT: `can't be written because your quota on that disk is used up. Free some space, or ${elsewhere}.`,
	EROFS: `can't be written because its file system is read-only. Make it writable, or ${elsewhere}.`,
	EACCES: "can't be used because permission was denied. Check its owner and permissions, or set XWORKMATE_HOME to a folder of your own.",
	EPERM: "can't be used because permission was denied. Check its owner and permissions, or set XWORKMATE_HOME to a folder of your own.",
};

const listenReasons: Readonly<Record<string, (setting: string) => string>> = {
	EADDRINUSE: (setting) => `another program is using that port. End that program, or set ${setting} to an address with another port.`,
	EACCES: (setting) => `permission was denied. Set ${setting} to an address with another port, 1024 or higher.`,
	EADDRNOTAVAIL: (setting) => `this computer has no such address. Set ${setting} to another address.`,
};

/**
 * Why the bridge does not start or continue, with the path and the fix, on one line; undefined if the error is not a known one. Names
 * `home` if the system's error has no path, as for a file that is already open.
 */
export function knownProblem(error: unknown, home: string): string | undefined {
	if (error instanceof ConfigError) return `${error.message} ${error.fix}`;
	if (error instanceof StoreError) return error.message;
	if (error instanceof WebhookListenError) return listenProblem(error.cause, "XWORKMATE_WEBHOOK_LISTEN");
	const code = systemErrorCode(error) ?? "";
	if (error instanceof Error && "syscall" in error && error.syscall === "listen") return listenProblem(error, "XWORKMATE_BRIDGE_LISTEN");
	const reason = reasons[code];
	if (!(error instanceof Error) || reason === undefined) return undefined;
	return `${"path" in error && typeof error.path === "string" ? error.path : home} ${reason}`;
}

function listenProblem(error: unknown, setting: string): string | undefined {
	const reason = listenReasons[systemErrorCode(error) ?? ""];
	if (reason === undefined || !(error instanceof Error && "address" in error && "port" in error)) return undefined;
	return `The bridge can't listen on ${error.address}, port ${error.port}, because ${reason(setting)}`;
}
