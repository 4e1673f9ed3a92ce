import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";

/**
 * The real folder that directly holds all these files, and its path from the folder that the run works in when it is
 * inside of it. Undefined when they are in several, or when one is not a plain file of its own: a link would carry the
 * edit to somewhere else than the folder's name says.
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
		// A folder that can't be read is treated as unknown.
		return undefined;
	}
}

/** True for a plain file that no other name has, and for one that is yet to be made. */
async function isPlain(path: string): Promise<boolean> {
	try {
		const found = await lstat(path);
		return found.isFile() && found.nlink === 1;
	} catch (error) {
		return systemErrorCode(error) === "ENOENT";
	}
}
