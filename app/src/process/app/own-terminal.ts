import { closeSync, constants, openSync } from "node:fs";

/**
 * Whether this process has a terminal whose Ctrl+C reaches it. With nohup, none of its streams is one; with setsid, they may still be, but
 * the system opens no terminal for the process.
 */
export function hasTerminal(): boolean {
	const { stdin, stdout, stderr } = process;
	if (![stdin, stdout, stderr].some(({ isTTY }) => isTTY)) return false;
	if (process.platform === "win32") return true;
	try {
		closeSync(openSync("/dev/tty", constants.O_RDONLY | constants.O_NOCTTY));
		return true;
	} catch {
		return false;
	}
}
