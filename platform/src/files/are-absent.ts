import { lstat } from "node:fs/promises";
import { systemErrorCode } from "../errors/system-error.ts";

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

async function isAbsent(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return false;
	} catch (error) {
		const code = systemErrorCode(error);
		return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
	}
}
