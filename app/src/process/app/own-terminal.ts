import { closeSync, constants, openSync, readFileSync } from "node:fs";

/**
 * Whether this process has a terminal whose Ctrl+C reaches it. With nohup, none of the process's streams is a terminal. With setsid, a
 * stream may still be a terminal, but the process can't open /dev/tty. In the background of a shell, the process has a terminal, but Ctrl+C
 * goes to another process.
 */
export function hasTerminal(): boolean {
	const { stdin, stdout, stderr } = process;
	if (![stdin, stdout, stderr].some(({ isTTY }) => isTTY)) return false;
	if (process.platform === "win32") return true;
	try {
		closeSync(openSync("/dev/tty", constants.O_RDONLY | constants.O_NOCTTY));
		return isInForeground();
	} catch {
		return false;
	}
}

/** Whether this process is in the group that its terminal's Ctrl+C goes to. Known only on Linux; assumed elsewhere. */
function isInForeground(): boolean {
	const stat = process.platform === "linux" ? ownStat() : undefined;
	// The name of the program comes second, in parentheses, and may contain anything. Then: state, parent, group, session, terminal, the terminal's foreground group.
	const [, , group, , , foreground] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
	return group === foreground;
}

function ownStat(): string | undefined {
	try {
		return readFileSync("/proc/self/stat", "utf8");
	} catch {
		return undefined;
	}
}
