import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Checking this much takes a fraction of a second. A larger file is checked in a process of its own, so that no start waits for it. */
export const WHOLE_CHECK_BYTES = 16 * 1024 * 1024;

/** The program that checks the database whose path it is given. */
export const CHECK_PROGRAM = fileURLToPath(new URL("check-file.ts", import.meta.url));

/**
 * Checks a whole database, which may be in use, in a process of its own. The first problem, or undefined.
 * @throws the signal's reason when it is stopped; Error when the check could not be made
 */
export function checkDatabase(path: string, stop: AbortSignal): Promise<string | undefined> {
	return new Promise((resolve, reject) => {
		execFile(process.execPath, [CHECK_PROGRAM, path], { signal: stop, killSignal: "SIGKILL" }, (error, result) => {
			if (error !== null) reject(stop.aborted ? stop.reason : error);
			else resolve(result === "ok" ? undefined : result.replaceAll("\n", " "));
		});
	});
}
