import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { RunId } from "@xworkmate/contracts";
import type { SetAsideFile } from "../api/ui-api.ts";
import { AppError } from "../errors/app-error.ts";
import { statPlainFile } from "./open-plain-file.ts";

/** The maximum number of files that are listed for a run. Others are in the folder, but not listed. */
const LISTED = 200;
/** The maximum number of kept versions that are watched. */
const WATCHED = 5_000;
const KEPT = /^(?<path>.+)~(?<digits>[0-9a-f]{8,64})$/s;

/** Where sync keeps a file that a run's file replaced: the segments of its path in the thread's folder. */
export function keptPlace(runId: RunId, segments: readonly string[], digits: string): readonly string[] {
	return [".versions", runId, ...segments.slice(0, -1), `${segments.at(-1)}~${digits}`];
}

/** The paths in the thread's folder of the versions that are kept there, at most 5,000. */
export async function keptPaths(folder: string): Promise<readonly string[]> {
	const paths: string[] = [];
	for (const run of await readdir(join(folder, ".versions"), { withFileTypes: true }).catch(() => [])) {
		if (!run.isDirectory() || !RunId.safeParse(run.name).success) continue;
		const root = join(folder, ".versions", run.name);
		for (const entry of await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])) {
			if (paths.length === WATCHED) return paths;
			if (entry.isFile()) paths.push(relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
		}
	}
	return paths;
}

/**
 * The files that a run's files replaced in the folder, except those that `isDelivered` recognizes as an earlier run's files or
 * cannot tell apart from them.
 */
export async function listSetAside(
	folder: string,
	runId: RunId,
	isDelivered: (path: string, digits: string) => boolean,
): Promise<readonly SetAsideFile[]> {
	const root = join(folder, ".versions", runId);
	const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
	const files: SetAsideFile[] = [];
	for (const entry of entries) {
		const { path, digits } = KEPT.exec(relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))?.groups ?? {};
		if (!entry.isFile() || path === undefined || digits === undefined || isDelivered(path, digits)) continue;
		const place = keptPlace(runId, path.split("/"), digits);
		const stats = await statPlainFile(folder, place).catch(ifBlocked);
		if (stats !== undefined) files.push({ relativePath: path, digits, keptAs: place.join("/"), sizeBytes: stats.size });
		if (files.length === LISTED) break;
	}
	return files.sort((a, b) => (a.keptAs < b.keptAs ? -1 : 1));
}

/** If something other than a regular file is in this place, or a link is above it, the file is not listed. */
function ifBlocked(error: unknown): undefined {
	if (error instanceof AppError && error.code === "FILE_BLOCKED") return undefined;
	throw error;
}
