import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { SyncedThread } from "../api/app-api.ts";
import type { SetAsideFile } from "../api/ui-api.ts";
import { currentTurn, type Thread } from "../threads/index.ts";
import { placeOf } from "./missing-files.ts";
import type { FilesOfThreads } from "./thread-files.ts";

/** The last run's saved files, as they are in the folder. */
export interface FolderState {
	/**
	 * By path: the file's inode, which shows whether sync has replaced the file; `gone` if nothing is there, or `taken` for anything else.
	 */
	readonly found: ReadonlyMap<string, number | "gone" | "taken">;
	readonly setAside: readonly SetAsideFile[];
}

export async function folderState(thread: Thread, folder: string, files: Pick<FilesOfThreads, "replaced">): Promise<FolderState> {
	const { runId, syncedPaths = [] } = currentTurn(thread) ?? {};
	const found = new Map<string, number | "gone" | "taken">();
	for (const path of syncedPaths) {
		const place = await placeOf(folder, path);
		if (place === "there") found.set(path, (await lstat(join(folder, path))).ino);
		else found.set(path, place === "empty" ? "gone" : "taken");
	}
	return { found, setAside: (await files.replaced(thread, runId)).setAside ?? [] };
}

/** What one sync did to the saved files, derived from the folder's state before and after it. */
export function whatSyncDid(before: FolderState, after: FolderState): Pick<SyncedThread, "restored" | "unchanged" | "gone" | "setAside"> {
	const isThere = (path: string) => typeof after.found.get(path) === "number";
	const paths = [...after.found.keys()].filter(isThere);
	const gone = [...after.found.keys()].filter((path) => !isThere(path));
	const restored = paths.filter((path) => before.found.get(path) === "gone");
	const unchanged = paths.filter((path) => typeof before.found.get(path) === "number" && before.found.get(path) === after.found.get(path));
	const known = new Set(before.setAside.map(({ keptAs }) => keptAs));
	const setAside = after.setAside.filter(({ keptAs }) => !known.has(keptAs));
	return { restored, unchanged, ...(gone.length > 0 && { gone }), ...(setAside.length > 0 && { setAside }) };
}
