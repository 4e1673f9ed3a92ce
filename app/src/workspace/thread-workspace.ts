import { lstatSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sessionFolder, type ThreadId } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { AppError } from "../errors/app-error.ts";

/** `<home>/threads/<session>`: where a thread's final files are saved. */
export function threadFolder(home: string, threadId: ThreadId): string {
	return join(home, "threads", sessionFolder(threadId));
}

/** Something other than a folder is at the path of a thread's folder. */
export class FolderTaken extends AppError {
	override readonly name = "FolderTaken";
	readonly folder: string;
	/** What was there: "a symbolic link". */
	readonly found: string;

	constructor(folder: string, found: string) {
		const fix = "Move it elsewhere. Then put the thread's folder back, or let XWorkmate create a new one.";
		super("WORKSPACE_REFUSED", `${folder} is ${found}, not a folder.`, fix);
		this.folder = folder;
		this.found = found;
	}
}

/**
 * Creates a thread's folder (0700) if it does not exist, and returns its path.
 * @throws FolderTaken if something else, such as a symbolic link, is at its path
 */
export function ensureThreadFolder(home: string, threadId: ThreadId): string {
	const folder = threadFolder(home, threadId);
	mkdirSync(join(home, "threads"), { recursive: true, mode: 0o700 });
	try {
		mkdirSync(folder, { mode: 0o700 });
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw error;
	}
	const stats = lstatSync(folder);
	if (!stats.isDirectory()) {
		throw new FolderTaken(folder, stats.isSymbolicLink() ? "a symbolic link" : stats.isFile() ? "a file" : "a special file");
	}
	return folder;
}

const kept = new Set(["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"]);

/** Removes a thread's folder if it exists and is empty. */
export function removeEmptyThreadFolder(home: string, threadId: ThreadId): void {
	try {
		rmdirSync(threadFolder(home, threadId));
	} catch (error) {
		if (!kept.has(systemErrorCode(error) ?? "")) throw error;
	}
}

/** Removes a thread's folder with everything in it. Links are removed, not followed. */
export function removeThreadFolder(home: string, threadId: ThreadId): void {
	rmSync(threadFolder(home, threadId), { recursive: true, force: true });
}
