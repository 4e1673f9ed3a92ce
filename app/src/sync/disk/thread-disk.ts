import { join } from "node:path";
import type { DiskOperations } from "./disk-operations.ts";
import { hashFile } from "./hash-file.ts";
import { FileProblem } from "./sync-problem.ts";

/**
 * Walks down a checked relative path from a trusted folder, and creates missing folders. Every folder on the way must be a real one.
 * `onFile` has to move a regular file out of the way, or throw.
 * @throws FileProblem PATH_BLOCKED
 */
export function ensureFolders(disk: DiskOperations, root: string, segments: readonly string[], onFile: (path: string) => void): string {
	let folder = root;
	for (const [index, segment] of segments.entries()) {
		folder = join(folder, segment);
		let stats = disk.lstat(folder);
		if (stats?.isFile()) {
			onFile(segments.slice(0, index + 1).join("/"));
			stats = undefined;
		}
		if (stats === undefined) disk.mkdir(folder);
		else if (!stats.isDirectory()) throw new FileProblem("PATH_BLOCKED", "something in the file's path was not a folder");
	}
	return folder;
}

export function refuseFile(): never {
	throw new FileProblem("PATH_BLOCKED", "there was a file where a folder was needed");
}

export interface PlainFile {
	readonly sizeBytes: number;
	readonly sha256: string;
}

/**
 * The regular file at a relative path, with its hash; undefined if nothing is there, or if a file is in place of one of its folders. With
 * `sizeBytes`, a file of another size is not read, and its hash is empty.
 * @throws FileProblem PATH_BLOCKED for a link or a device at the path or above it, or a folder at the path
 */
export function readPlainFile(disk: DiskOperations, root: string, segments: readonly string[], sizeBytes?: number): PlainFile | undefined {
	let path = root;
	for (const [index, segment] of segments.entries()) {
		path = join(path, segment);
		const stats = disk.lstat(path);
		if (stats === undefined) return undefined;
		const last = index === segments.length - 1;
		if (!last && stats.isFile()) return undefined;
		if (last ? !stats.isFile() : !stats.isDirectory()) {
			throw new FileProblem("PATH_BLOCKED", `a ${stats.isSymbolicLink() ? "symbolic link" : "folder or special file"} was in the way`);
		}
		if (!last) continue;
		const skip = sizeBytes !== undefined && stats.size !== sizeBytes;
		return { sizeBytes: stats.size, sha256: skip ? "" : hashFile(disk, path) };
	}
	return undefined;
}
