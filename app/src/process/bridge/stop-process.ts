import { systemErrorCode } from "@xworkmate/platform/errors";

/** The bridge's own time limit for ending is shorter, so a bridge that exceeds this one will not end without SIGKILL. */
const KILL_AFTER_MS = 20_000;

/** A process to end. `send` returns false if the process no longer exists, and never throws because of that. */
export interface StoppableProcess {
	send(signal: "SIGTERM" | "SIGKILL"): boolean;
	/** Resolves when the process has ended. */
	readonly exited: Promise<void>;
}

/** Sends SIGTERM, and SIGKILL if the process has not ended in time. Resolves when the process has ended. */
export async function stopProcess({ send, exited }: StoppableProcess, killAfterMs = KILL_AFTER_MS): Promise<void> {
	if (!send("SIGTERM")) return;
	const timer = setTimeout(() => send("SIGKILL"), killAfterMs);
	try {
		await exited;
	} finally {
		clearTimeout(timer);
	}
}

/** How long a bridge that does not answer has before SIGKILL. A process that hangs or is stopped ignores SIGTERM. */
export const SILENT_KILL_AFTER_MS = 500;

/** Sends SIGKILL to a whole process group by its leader's id, or to the leader alone if there is no such group. */
export function killGroup(pid: number): boolean {
	return (process.platform !== "win32" && sendSignal(-pid, "SIGKILL")) || sendSignal(pid, "SIGKILL");
}

/** Signals a process by its id; returns false if it has ended. Signal `0` only checks. */
export function sendSignal(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
	try {
		return process.kill(pid, signal);
	} catch (error) {
		// The process has ended, or its id now belongs to another user's process.
		if (["ESRCH", "EPERM"].includes(systemErrorCode(error) ?? "")) return false;
		throw error;
	}
}
