import { dirname, join } from "node:path";
import type { RunId } from "@xworkmate/contracts";
import type { DiskOperations } from "./disk-operations.ts";
import { hashFile } from "./hash-file.ts";
import type { WantedFile } from "./sync-disk.ts";
import { FileProblem } from "./sync-problem.ts";
import { ensureFolders, readPlainFile, refuseFile } from "./thread-disk.ts";

interface Publication {
	readonly folder: string;
	readonly runId: RunId;
	readonly wanted: WantedFile;
	readonly staged: string;
	/** Folders whose entries have changed; they are flushed once, at the end. */
	readonly touched: Set<string>;
}

/**
 * Moves a verified file to its place, or deletes it if a file with the same bytes is already there. If a file with other bytes is there,
 * or a file is where a folder is needed, that file (the user's edit or an earlier run's file) is first moved to
 * `.versions/<run>/<path>~<8 or more hex digits of its hash>`.
 * @throws FileProblem PATH_BLOCKED, or the disk's error
 */
export function publishFile(disk: DiskOperations, publication: Publication): void {
	const { folder, wanted, staged, touched } = publication;
	const segments = wanted.relativePath.split("/");
	const parent = ensureFolders(disk, folder, segments.slice(0, -1), (path) => setAside(disk, publication, path));
	const standing = readPlainFile(disk, folder, segments);
	if (standing?.sha256 === wanted.sha256) {
		disk.unlink(staged);
		return;
	}
	if (standing !== undefined) setAside(disk, publication, wanted.relativePath);
	disk.rename(staged, join(parent, segments.at(-1) ?? ""));
	for (let path = parent; path.length >= folder.length; path = dirname(path)) touched.add(path);
}

function setAside(disk: DiskOperations, { folder, runId, touched }: Publication, relativePath: string): void {
	const from = join(folder, relativePath);
	const sha256 = hashFile(disk, from);
	const name = relativePath.split("/");
	const parent = ensureFolders(disk, folder, [".versions", runId, ...name.slice(0, -1)], refuseFile);
	for (let digits = 8; digits <= sha256.length; digits += 8) {
		const to = join(parent, `${name.at(-1)}~${sha256.slice(0, digits)}`);
		const there = disk.lstat(to);
		if (there !== undefined && !there.isFile()) throw new FileProblem("PATH_BLOCKED", "one of the kept versions was not a regular file");
		// A kept version with the same bytes is replaced. Other bytes whose hash begins with the same digits get a longer name.
		if (there !== undefined && hashFile(disk, to) !== sha256) continue;
		disk.rename(from, to);
		touched.add(parent);
		return;
	}
	throw new FileProblem("PATH_BLOCKED", "the earlier version could not be kept");
}
