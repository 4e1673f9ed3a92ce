import { existsSync } from "node:fs";

/** Background work yields to processes that answer users. */
const NICENESS = 10;
/** Present on nearly every Linux and on macOS. */
const PERL = "/usr/bin/perl";
/** Present on every POSIX system. */
const NICE = "/usr/bin/nice";
/** A Perl program that runs the command in its own process group but in the same session. Node can't create a group without a session. */
const GROUP_WITHOUT_SESSION = `setpgrp(0, 0); setpriority(0, 0, getpriority(0, 0) + ${NICENESS}); exec { $ARGV[0] } @ARGV; exit 127;`;

interface Command {
	readonly command: string;
	readonly args: readonly string[];
}

export interface BackgroundCommand extends Command {
	/** Whether the process gets its own session. */
	readonly detached: boolean;
}

/**
 * The same command, at a lower priority from its start. (A priority set later would apply only to the main thread.) With Perl, the command
 * leads its own process group but stays in the bridge's session: Linux divides processors between sessions before it considers niceness
 * (sched(7), "the autogroup feature"), so with thirty programs in thirty sessions, the bridge would get one thirtieth, however nice the
 * programs are. A program in a low-priority session of its own would be starved by other work.
 */
export function inBackground({ command, args }: Command): BackgroundCommand {
	if (existsSync(PERL)) return { command: PERL, args: ["-e", GROUP_WITHOUT_SESSION, "--", command, ...args], detached: false };
	if (existsSync(NICE)) return { command: NICE, args: ["-n", String(NICENESS), command, ...args], detached: true };
	return { command, args, detached: true };
}
