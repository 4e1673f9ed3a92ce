import { systemErrorCode } from "@xworkmate/platform/errors";

/** The bridge's own bound for ending is shorter; one that is past this does not end by itself. */
const KILL_AFTER_MS = 20_000;

/** A process to be ended. `send` answers false when there is none any more, and never throws for that. */
export interface StoppableProcess {
	send(signal: "SIGTERM" | "SIGKILL"): boolean;
	/** Settles when it is gone. */
	readonly exited: Promise<void>;
}

/** SIGTERM, then SIGKILL when that has not worked in time. Settles when the process is gone. */
export async function stopProcess({ send, exited }: StoppableProcess, killAfterMs = KILL_AFTER_MS): Promise<void> {
	if (!send("SIGTERM")) return;
	const timer = setTimeout(() => send("SIGKILL"), killAfterMs);
	try {
		await exited;
	} finally {
		clearTimeout(timer);
	}
}

/** Time before SIGKILL for a bridge that does not answer: a process that hangs or is stopped ignores SIGTERM. */
export const SILENT_KILL_AFTER_MS = 500;

/** SIGKILL for a whole process group, by the id of its leader; for the leader alone where there is no such group. */
export function killGroup(pid: number): boolean {
	return (process.platform !== "win32" && sendSignal(-pid, "SIGKILL")) || sendSignal(pid, "SIGKILL");
}

/** Signals a process by its id; false when it is gone. `0` only looks. */
export function sendSignal(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
	try {
		return process.kill(pid, signal);
	} catch (error) {
		// It is gone, or its id belongs to somebody else's process by now.
		if (["ESRCH", "EPERM"].includes(systemErrorCode(error) ?? "")) return false;
		throw error;
	}
}
