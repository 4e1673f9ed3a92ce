import { lstat, readdir, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { FolderListing } from "../api/folder-listing.ts";
import { AppError } from "../errors/app-error.ts";
import { commandLine } from "../text/command-line.ts";

const MAX_FOLDERS = 1_000;

/**
 * Folders under the allowed roots, to choose a project folder from. Hidden folders are left out, and so are links, because they may point
 * elsewhere.
 * @throws AppError WORKSPACE_REFUSED for a path that is outside every root or does not exist
 */
export async function listFolders(roots: readonly string[], path?: string): Promise<readonly FolderListing[]> {
	if (path === undefined) return await Promise.all(roots.map((root) => listOne(root, root, roots)));
	const { real, root } = await allowedFolder(roots, path);
	return [await listOne(real, root, roots)];
}

/**
 * The real path of a folder, and the root that it is under.
 * @throws AppError WORKSPACE_REFUSED
 */
export async function allowedFolder(roots: readonly string[], path: string): Promise<{ readonly real: string; readonly root: string }> {
	const real = isAbsolute(path) && resolve(path) === path ? await realpath(path).catch(() => undefined) : undefined;
	for (const root of roots) {
		const realRoot = await realpath(root).catch(() => undefined);
		if (real !== undefined && realRoot !== undefined && isWithin(realRoot, real)) return { real, root: realRoot };
	}
	throw new AppError(
		"WORKSPACE_REFUSED",
		"This folder is outside the folders that runs may use, or it doesn't exist.",
		`Choose an existing folder inside them, or allow another one on the page, under Settings > Project folders. In a terminal, give the complete list, including the new folder: ${commandLine("config set allowedRoots")} FOLDER...`,
	);
}

async function listOne(path: string, root: string, roots: readonly string[]): Promise<FolderListing> {
	const isFolder = (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
	const entries = isFolder ? await readdir(path, { withFileTypes: true }).catch(() => []) : [];
	const folders = entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? [entry.name] : []));
	const isIn = await isInRepository(path, roots);
	return {
		path,
		...(isIn && { isInRepository: true as const }),
		...(path !== root && { parent: dirname(path) }),
		folders: folders.sort().slice(0, MAX_FOLDERS),
	};
}

/** Whether the nearest `.git` of a folder is in an allowed root: the bridge refuses a worktree of any other repository. */
async function isInRepository(folder: string, roots: readonly string[]): Promise<boolean> {
	const real = await realpath(folder).catch(() => folder);
	for (let top = real; ; top = dirname(top)) {
		const found = await lstat(join(top, ".git")).catch(() => undefined);
		if (found !== undefined)
			return await allowedFolder(roots, top).then(
				() => true,
				() => false,
			);
		if (dirname(top) === top) return false;
	}
}

function isWithin(root: string, path: string): boolean {
	const rest = relative(root, path);
	return rest === "" || (!rest.startsWith("..") && !isAbsolute(rest));
}
