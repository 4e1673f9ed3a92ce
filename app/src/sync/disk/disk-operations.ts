import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { nameProblem } from "./name-problem.ts";

/** Above this many files, one syncfs costs less than one fsync per file. */
const MANY_FILES = 64;

/**
 * The disk operations of a sync. They are synchronous, because for small files promises would take three times as long. A sync of more than
 * a few files or megabytes runs in a worker thread.
 */
export interface DiskOperations {
	/** Why the system cannot store a file with this path; undefined if it can. */
	readonly nameProblem: (relativePath: string) => string | undefined;
	readonly lstat: (path: string) => fs.Stats | undefined;
	readonly mkdir: (path: string) => void;
	/** Creates a file, and returns its descriptor. Fails if the file exists. */
	readonly create: (path: string) => number;
	readonly write: (descriptor: number, bytes: Uint8Array) => void;
	readonly close: (descriptor: number) => void;
	/** Opens a file for reading; fails if the path itself is a symbolic link. */
	readonly openToRead: (path: string) => number;
	readonly read: (descriptor: number, into: Uint8Array) => number;
	readonly rename: (from: string, to: string) => void;
	readonly unlink: (path: string) => void;
	readonly removeTree: (path: string) => void;
	/** Removes a folder if it is empty. */
	readonly removeEmpty: (path: string) => void;
	/** Returns once these files or folders, all on one file system, are on stable storage. */
	readonly flush: (paths: readonly string[]) => void;
}

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = fs.constants;

export const diskOperations: DiskOperations = {
	nameProblem: (relativePath) => nameProblem(relativePath, process.platform),
	lstat: (path) => fs.lstatSync(path, { throwIfNoEntry: false }),
	mkdir: (path) => fs.mkdirSync(path, { mode: 0o755 }),
	create: (path) => fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644),
	write(descriptor, bytes) {
		for (let done = 0; done < bytes.length; ) done += fs.writeSync(descriptor, bytes, done, bytes.length - done);
	},
	close: (descriptor) => fs.closeSync(descriptor),
	openToRead: (path) => fs.openSync(path, O_RDONLY | O_NOFOLLOW),
	read: (descriptor, into) => fs.readSync(descriptor, into, 0, into.length, null),
	rename: (from, to) => fs.renameSync(from, to),
	unlink: (path) => fs.unlinkSync(path),
	removeTree: (path) => fs.rmSync(path, { recursive: true, force: true }),
	removeEmpty(path) {
		try {
			fs.rmdirSync(path);
		} catch (error) {
			const code = systemErrorCode(error);
			if (code !== "ENOTEMPTY" && code !== "ENOENT" && code !== "EEXIST") throw error;
		}
	},
	flush(paths) {
		const [first] = paths;
		if (first === undefined) return;
		if (paths.length > MANY_FILES && syncFileSystem(first)) return;
		for (const path of paths) flushOne(path);
	},
};

/** Calls syncfs(2), which Node lacks, through coreutils; returns false if that is not available or fails. */
function syncFileSystem(path: string): boolean {
	if (process.platform !== "linux") return false;
	const { status } = spawnSync("sync", ["--file-system", path], { stdio: "ignore", timeout: 60_000 });
	return status === 0;
}

function flushOne(path: string): void {
	const folder = fs.lstatSync(path).isDirectory();
	const descriptor = fs.openSync(path, (folder ? O_RDONLY | O_DIRECTORY : O_RDONLY) | O_NOFOLLOW);
	try {
		fs.fsyncSync(descriptor);
	} finally {
		fs.closeSync(descriptor);
	}
}
