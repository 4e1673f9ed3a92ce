import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { SOURCES } from "../programs.mjs";

/** The hash of all paths and contents. @param root the repository's root */
export async function hashOfSources(root: string): Promise<string> {
	const hash = createHash("sha256");
	for (const source of SOURCES) {
		for (const path of await filesUnder(join(root, source))) {
			const bytes = await readFile(path);
			hash.update(`${relative(root, path)}\0${bytes.length}\0`).update(bytes);
		}
	}
	return hash.digest("hex");
}

/** Those of the modules inside of the programs that the hash doesn't know. @param root the repository's root */
export function unknownSources(modules: readonly string[], root: string): readonly string[] {
	const own = modules.filter((path) => path.startsWith("/") && !path.includes("/node_modules/")).map((path) => relative(root, path));
	return own.filter((path) => !SOURCES.some((source) => path === source || path.startsWith(`${source}/`)));
}

/** The file itself, or all files of a folder; none where there is neither. */
async function filesUnder(path: string): Promise<readonly string[]> {
	if (!existsSync(path)) return [];
	if (!(await stat(path)).isDirectory()) return [path];
	const inside = await readdir(path, { recursive: true, withFileTypes: true });
	const files = inside.filter((entry) => entry.isFile());
	return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}
