import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";

/**
 * The real folder that directly contains all these files, and its path relative to the run's working folder if it is inside. Undefined if
 * they are in several folders, if one of them exists but is not a regular file or has other hard links (the edit would then affect more
 * than the folder's name says), or if a folder cannot be read.
 */
export async function editedFolder(
	paths: readonly string[],
	workingDirectory: string,
): Promise<{ readonly path: string; readonly inside?: string } | undefined> {
	const [first] = paths;
	if (first === undefined) return undefined;
	const folder = dirname(first);
	if (paths.some((path) => dirname(path) !== folder)) return undefined;
	try {
		const real = await realpath(folder);
		for (const path of paths) if (!(await isPlain(join(real, basename(path))))) return undefined;
		const inside = relative(await realpath(workingDirectory), real);
		return isAbsolute(inside) || inside === ".." || inside.startsWith(`..${sep}`) ? { path: real } : { path: real, inside };
	} catch {
		// A folder that cannot be read is treated as unknown.
		return undefined;
	}
}

/** True for a regular file without other hard links, and for one that does not exist yet. */
async function isPlain(path: string): Promise<boolean> {
	try {
		const found = await lstat(path);
		return found.isFile() && found.nlink === 1;
	} catch (error) {
		return systemErrorCode(error) === "ENOENT";
	}
}
