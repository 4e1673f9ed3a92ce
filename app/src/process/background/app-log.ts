import { copyFileSync, fstatSync, ftruncateSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { homeProblem } from "../app/home-problem.ts";

const STDERR = 2;
const MAX_BYTES = 1024 * 1024;

/** The log of an app in the background. A link with its one-time key is never written to it. */
export function appLogFile(home: string): string {
	return join(home, "app", "app.log");
}

/**
 * Opens the log for a process that is about to start.
 * @throws AppError HOME_NOT_WRITABLE, DISK_FULL
 */
export function openAppLog(home: string): number {
	try {
		mkdirSync(join(home, "app"), { recursive: true, mode: 0o700 });
		return openSync(appLogFile(home), "a", 0o600);
	} catch (error) {
		throw homeProblem(error, home);
	}
}

/**
 * Limits this process's log, which is its standard error. A log larger than 1 MiB is copied over the one older copy, then emptied in place,
 * because this process and the ones it starts keep appending to the open file.
 */
export function boundAppLog(home: string): void {
	const file = fstatSync(STDERR);
	if (!file.isFile() || file.size <= MAX_BYTES) return;
	copyFileSync(appLogFile(home), `${appLogFile(home)}.1`);
	ftruncateSync(STDERR, 0);
}
