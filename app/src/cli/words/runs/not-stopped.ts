import type { ThreadId } from "@xworkmate/contracts";
import { APP_GONE } from "../../../api/remote-app.ts";
import { toFailure } from "../../../errors/failure.ts";
import { commandLine } from "../../../text/command-line.ts";
import { oneLine, printable } from "../../../text/printable.ts";

/**
 * Says what happens to a stop that the bridge has not confirmed. The app saves the request before it asks the bridge, and repeats it.
 * Without an app, the request is lost. If the disk is full, or after any other error that isn't the bridge's, the request may be lost.
 */
export function notStopped(error: unknown, threadId: ThreadId): string {
	const { code, message, fix = "" } = toFailure(error);
	const again = commandLine(`cancel ${oneLine(threadId, 200)}`);
	if (code === APP_GONE) return `The stop request didn't arrive. ${printable(message)} Try again: ${again}`;
	if (code === "STOP_NOT_SAVED") return `${message} ${fix}`;
	if (code === "DISK_FULL")
		return `The stop request isn't confirmed and might not have been saved, because the disk is full. Free some space, then try again: ${again}`;
	if (!isOfBridge(code)) return `The stop request isn't confirmed and might not have been saved. ${printable(message)} Try again: ${again}`;
	return `The bridge hasn't confirmed the stop yet. ${printable(message)} XWorkmate sends the request again when it reaches the bridge.`;
}

/** True if the bridge could not be reached. The app calls the bridge only once the request is saved, so the request is not lost. */
export function isOfBridge(code: string): boolean {
	return code.startsWith("ACP_HTTP_") || ["BRIDGE_NOT_RUNNING", "BRIDGE_TOKEN_MISSING", "BRIDGE_URL_REFUSED"].includes(code);
}
