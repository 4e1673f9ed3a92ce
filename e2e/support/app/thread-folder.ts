import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { sha256Of } from "../wire/served-artifacts.ts";

/** What is under `<home>/threads`, without the kept versions: `<session>/<path>` -> sha256. */
export async function syncedFiles(home: TemporaryHome): Promise<Readonly<Record<string, string>>> {
	const root = join(home.xworkmate, "threads");
	const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
		throw error;
	});
	const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
	const kept = files.filter((file) => !file.includes("/.versions/")).sort();
	return Object.fromEntries(await Promise.all(kept.map(async (file) => [file.slice(root.length + 1), sha256Of(await readFile(file))])));
}
