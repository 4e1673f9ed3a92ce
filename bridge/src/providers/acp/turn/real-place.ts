import { realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** How many folders above a missing file are tried. */
const MOST_FOLDERS = 100;

/** True for the folder itself and everything below it. Both paths are absolute and normalized. */
export function isInside(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Makes a path that an agent names absolute. The path may be given as a file's address. */
export function placeOf(directory: string, path: string): string {
	return resolve(directory, filePath(path) ?? path);
}

/** The path in a `file:` address; undefined for any other text. */
export function filePath(address: string): string | undefined {
	if (!/^file:/i.test(address)) return undefined;
	try {
		return fileURLToPath(address);
	} catch {
		return undefined;
	}
}

/**
 * Resolves a path's links, because an agent may name a file by a link when it asks and by its target when it reports. The path of a missing
 * file, which may be in missing folders, is resolved from the nearest folder that exists.
 */
export async function realPlace(place: string): Promise<string> {
	let folder = place;
	for (let depth = 0; depth < MOST_FOLDERS; depth++) {
		try {
			return join(await realpath(folder), relative(folder, place));
		} catch {
			folder = dirname(folder);
		}
	}
	return place;
}
