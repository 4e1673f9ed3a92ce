import { lstat } from "node:fs/promises";
import { systemErrorCode } from "../errors/system-error.ts";

/** Some file systems keep the times of files in steps of two seconds, so a file may seem that much older than it is. In milliseconds. */
export const FILE_TIME_STEP_MS = 2_000;

/** True if none of these absolute paths exists. A path that cannot be examined counts as existing. */
export async function areAbsent(paths: Iterable<string>): Promise<boolean> {
	for (const path of paths) if (!(await isAbsent(path))) return false;
	return true;
}

/** True if something exists at this absolute path, even a link. A path that cannot be examined does not count as existing. */
export async function isPresent(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch {
		return false;
	}
}

/**
 * `changed` if anything at these absolute paths changed at or after `since` (milliseconds), `unchanged` if something is there but nothing
 * changed, `absent` if nothing is there. Undefined if a path could not be examined and no change was found. A file that was renamed or
 * given other permissions counts as changed.
 */
export async function lookAt(paths: Iterable<string>, since: number): Promise<"changed" | "unchanged" | "absent" | undefined> {
	let found: "unchanged" | "absent" | undefined = "absent";
	for (const path of paths) {
		try {
			const { mtimeMs, ctimeMs } = await lstat(path);
			if (Math.max(mtimeMs, ctimeMs) >= since) return "changed";
			if (found === "absent") found = "unchanged";
		} catch (error) {
			if (!isAbsence(error)) found = undefined;
		}
	}
	return found;
}

async function isAbsent(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return false;
	} catch (error) {
		return isAbsence(error);
	}
}

function isAbsence(error: unknown): boolean {
	const code = systemErrorCode(error);
	return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
