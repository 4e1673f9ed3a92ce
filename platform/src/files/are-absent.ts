import { lstat } from "node:fs/promises";
import { systemErrorCode } from "../errors/system-error.ts";

/** True if nothing is at any of these absolute paths; what can't be looked at counts as there. */
export async function areAbsent(paths: Iterable<string>): Promise<boolean> {
	for (const path of paths) if (!(await isAbsent(path))) return false;
	return true;
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
