import { lstatSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sessionFolder, type ThreadId } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { AppError } from "../errors/app-error.ts";

/** `<home>/threads/<session>`: where a thread's final files are saved. */
export function threadFolder(home: string, threadId: ThreadId): string {
	return join(home, "threads", sessionFolder(threadId));
}

/**
 * Creates a thread's folder (0700) if it does not exist, and returns its path.
 * @throws AppError WORKSPACE_REFUSED if something else, such as a symbolic link, is in its place
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
		const is = stats.isSymbolicLink() ? "a symbolic link" : stats.isFile() ? "a file" : "a special file";
		throw new AppError(
			"WORKSPACE_REFUSED",
			`${folder} is ${is}, not a folder.`,
			"Move it elsewhere and put the thread's folder back, or let XWorkmate create a new one.",
		);
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
