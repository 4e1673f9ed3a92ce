import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Checking a file of this size takes a fraction of a second. A larger one is checked in a separate process, so that the check does not
 * delay the start.
 */
export const WHOLE_CHECK_BYTES = 16 * 1024 * 1024;

/** The program that checks a database, given its path as the argument. */
export const CHECK_PROGRAM = fileURLToPath(new URL("check-file.ts", import.meta.url));

/**
 * Checks a whole database in a separate process; the database may be in use. Returns the first problem, or undefined if there is none.
 * @throws the signal's reason if it is stopped; Error if the check could not be carried out
 */
export function checkDatabase(path: string, stop: AbortSignal): Promise<string | undefined> {
	return new Promise((resolve, reject) => {
		execFile(process.execPath, [CHECK_PROGRAM, path], { signal: stop, killSignal: "SIGKILL" }, (error, result) => {
			if (error !== null) reject(stop.aborted ? stop.reason : error);
			else resolve(result === "ok" ? undefined : result.replaceAll("\n", " "));
		});
	});
}
