import { existsSync, writeFileSync } from "node:fs";

/** What works in the background yields to those who answer people. */
const NICENESS = 10;
/** POSIX has it; it becomes what it runs. */
const NICE = "/usr/bin/nice";
/** Outside the super-user's processes the kernel takes one change in a tenth of a second, of all processes. */
const RETRY_MS = 150;
const ATTEMPTS = 20;

interface Command {
	readonly command: string;
	readonly args: readonly string[];
}

/** The same command behind others from its first moment on, all its threads: a priority set later holds for its main thread alone. */
export function inBackground<C extends Command>(command: C): C {
	if (!existsSync(NICE)) return command;
	return { ...command, command: NICE, args: ["-n", String(NICENESS), command.command, ...command.args] };
}

/**
 * Puts a process that leads a session behind others. Linux shares processors between sessions first (sched(7), "the
 * autogroup feature"), and niceness tells only the processes of one session apart: without this, sixty programs in
 * sixty sessions leave the bridge one part in sixty. Does nothing on systems that share otherwise.
 */
export function putSessionInBackground(pid: number, attempt = 1): void {
	try {
		writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS));
	} catch (error) {
		if (!(error instanceof Error && "code" in error && error.code === "EAGAIN") || attempt === ATTEMPTS) return;
		setTimeout(() => putSessionInBackground(pid, attempt + 1), RETRY_MS).unref();
	}
}
