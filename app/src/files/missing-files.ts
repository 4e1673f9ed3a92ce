import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "@xworkmate/contracts";
import { ifAbsent, systemErrorCode } from "@xworkmate/platform/errors";
import type { TurnRecord } from "../threads/index.ts";

/** Files of one run that are missing from the folder. The files in `paths` should be fetched again. */
export interface MissingFiles {
	readonly snapshot: Snapshot;
	readonly paths: ReadonlySet<string>;
	/** Files that are not fetched, because something else is at their path and is not moved aside for an earlier run's file. */
	readonly taken: readonly string[];
}

/**
 * Files that successful runs delivered and that are missing from the folder. Each is taken from the newest run that delivered it, so that
 * an older version never replaces a newer one. `records` are oldest first.
 */
export async function findMissing(records: readonly TurnRecord[], folder: string): Promise<readonly MissingFiles[]> {
	const newest = new Map<string, Snapshot>();
	for (const { turn, snapshot } of records) {
		if (turn.resultCode !== "success" || snapshot === undefined) continue;
		// A snapshot lists the first 200 files; others are known only if they were saved.
		for (const { relativePath } of snapshot.artifacts.items) newest.set(relativePath, snapshot);
		for (const path of turn.syncedPaths) newest.set(path, snapshot);
	}
	const missing = new Map<Snapshot, { paths: Set<string>; taken: string[] }>();
	for (const [path, snapshot] of newest) {
		const place = await placeOf(folder, path);
		if (place === "there") continue;
		const lacking = missing.get(snapshot) ?? { paths: new Set(), taken: [] };
		missing.set(snapshot, lacking);
		if (place === "empty") lacking.paths.add(path);
		else lacking.taken.push(path);
	}
	return [...missing].map(([snapshot, lacking]) => ({ snapshot, ...lacking }));
}

/** Why the list of a run's files is incomplete. */
export const unlistedWhy = "only the first 200 files of a run are listed if its files were not saved";

/** How many files a successful run delivered whose paths are unknown: beyond the 200 that its snapshot lists, and never saved. */
export function countUnlisted({ turn, snapshot }: TurnRecord): number {
	if (turn.resultCode !== "success" || snapshot === undefined) return 0;
	const known = new Set<string>([...snapshot.artifacts.items.map(({ relativePath }) => relativePath), ...turn.syncedPaths]);
	return Math.max(0, snapshot.artifacts.count - known.size);
}

/** Files that earlier syncs of a run saved. */
export interface SavedBefore {
	readonly paths: readonly string[];
	/** The paths at which the folder has a file now, with any bytes. */
	readonly there: ReadonlySet<string>;
}

/**
 * A path that cannot be read counts as missing. If the path also cannot be written, the sync reports that for this file and saves the
 * others.
 */
export async function savedBefore(folder: string, paths: readonly string[]): Promise<SavedBefore> {
	const there = new Set<string>();
	for (const path of paths) if ((await placeOf(folder, path).catch(() => "unreadable")) === "there") there.add(path);
	return { paths, there };
}

/** What exists at a path in the folder. */
export async function placeOf(folder: string, path: string): Promise<"there" | "empty" | "taken"> {
	const segments = path.split("/");
	for (let count = 1; count <= segments.length; count++) {
		const stats = await lstat(join(folder, ...segments.slice(0, count))).catch(ifAbsentOrInFile);
		if (stats === "in_file") return "taken";
		if (stats === undefined) return "empty";
		if (count === segments.length) return stats.isFile() ? "there" : "taken";
		if (!stats.isDirectory()) return "taken";
	}
	return "taken";
}

/** `in_file` if a file is in the place of a folder on the path, which may be the thread's own folder. */
function ifAbsentOrInFile(error: unknown): "in_file" | undefined {
	return systemErrorCode(error) === "ENOTDIR" ? "in_file" : ifAbsent(error);
}
