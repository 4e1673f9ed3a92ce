import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { artifactPathProblem } from "@xworkmate/contracts";
import { allowedFolder } from "./list-folders.ts";

const MOST_FILES = 5_000;
const MOST_FOLDERS = 1_000;
const DEPTH = 8;
/** Folders that tools fill, whose files users rarely refer to. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "__pycache__", "target", "dist"]);

/**
 * Relative paths of the files in a project folder, level by level. Links are not followed, because they may point elsewhere. Hidden files,
 * and names that hide or reorder text, are left out.
 * @throws AppError WORKSPACE_REFUSED for a folder that is outside every root or does not exist
 */
export async function folderFiles(roots: readonly string[], path: string): Promise<readonly string[]> {
	const { real } = await allowedFolder(roots, path);
	const found: string[] = [];
	let level = [""];
	let folders = 0;
	for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
		const next: string[] = [];
		for (const folder of level) {
			folders += 1;
			if (folders > MOST_FOLDERS) return found;
			// A folder that cannot be read contributes no files.
			const entries = await readdir(join(real, folder), { withFileTypes: true }).catch(() => []);
			for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
				const own = folder === "" ? entry.name : `${folder}/${entry.name}`;
				if (entry.name.startsWith(".") || artifactPathProblem(own) !== undefined) continue;
				if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) next.push(own);
				else if (entry.isFile()) found.push(own);
				if (found.length >= MOST_FILES) return found;
			}
		}
		level = next;
	}
	return found;
}
