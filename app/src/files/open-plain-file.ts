import { constants, type Stats } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { artifactPathProblem } from "@xworkmate/contracts";
import { ifNowhere, systemErrorCode } from "@xworkmate/platform/errors";
import type { InPlace } from "../api/in-place.ts";
import { AppError } from "../errors/app-error.ts";
import { FileBlocked } from "./file-blocked.ts";

const CHUNK_BYTES = 256 * 1024;

export type FileOrigin = "folder" | "bridge";

/** A file that is open for reading, in the folder or at the bridge. */
export interface OpenedFile {
	readonly sizeBytes: number;
	readonly modifiedMs: number;
	/** Where its bytes come from: the thread's folder, or the bridge's copy of what was delivered. */
	readonly from: FileOrigin;
	/** Differs after a change to the file: in the folder, by its inode, size and time of modification; at the bridge, by its hash. */
	readonly etag: string;
	/** The bytes from `start` to `end`, inclusive, in chunks. The file is closed with the stream. May be called once. */
	read(start: number, end: number): Readable;
	close(): Promise<void>;
}

/**
 * The status of the regular file at a relative path under a folder; undefined if nothing is there.
 * @throws AppError FILE_BLOCKED if a folder is at the path, if a link or a device is at the path or above it, or if `root` is not a folder
 */
export async function statPlainFile(root: string, segments: readonly string[]): Promise<Stats | undefined> {
	let path = root;
	let stats = await lstat(root).catch(ifNowhere);
	if (stats === undefined) return undefined;
	if (!stats.isDirectory()) throw new FileBlocked("above");
	for (const [index, segment] of segments.entries()) {
		path = join(path, segment);
		stats = await lstat(path).catch(ifNowhere);
		if (stats === undefined) return undefined;
		const last = index === segments.length - 1;
		if (!last && stats.isFile()) return undefined;
		if (last ? !stats.isFile() : !stats.isDirectory()) throw new FileBlocked(last ? inPlace(stats) : "above");
	}
	return stats;
}

/**
 * Opens the file. The path is checked before and after it is opened, so that a link swapped in between is detected.
 * @throws AppError FILE_NOT_FOUND, FILE_BLOCKED
 */
export async function openPlainFile(root: string, segments: readonly string[]): Promise<OpenedFile> {
	if ((await statPlainFile(root, segments)) === undefined) throw missing();
	const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
	const handle = await open(join(root, ...segments), flags).catch((error: unknown) => {
		const code = systemErrorCode(error);
		throw code === "ENOENT" ? missing() : code === "ELOOP" ? new FileBlocked("link") : error;
	});
	try {
		const stats = await handle.stat();
		const again = await statPlainFile(root, segments);
		if (!stats.isFile() || again?.ino !== stats.ino || again.dev !== stats.dev) throw new FileBlocked(inPlace(stats));
		const { size, mtimeMs, ino } = stats;
		return {
			sizeBytes: size,
			modifiedMs: mtimeMs,
			from: "folder",
			etag: `"${[ino, size, mtimeMs * 1000].map((number) => Math.trunc(number).toString(36)).join("-")}"`,
			read: (start, end) => {
				if (end >= start) return handle.createReadStream({ start, end, highWaterMark: CHUNK_BYTES });
				void handle.close();
				return Readable.from([]);
			},
			close: () => handle.close(),
		};
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/**
 * Splits a relative path into segments.
 * @throws AppError FILE_NOT_FOUND for a path that no artifact may have: it is refused, not cleaned
 */
export function safeSegments(relativePath: string): readonly string[] {
	if (artifactPathProblem(relativePath) !== undefined) throw missing();
	return relativePath.split("/");
}

export function missing(): AppError {
	return new AppError(
		"FILE_NOT_FOUND",
		"This file is no longer available.",
		"Download the thread's files again, or look in the thread's folder.",
	);
}

function inPlace(stats: Stats): InPlace {
	if (stats.isDirectory()) return "folder";
	return stats.isSymbolicLink() || stats.isFile() ? "link" : "special";
}
