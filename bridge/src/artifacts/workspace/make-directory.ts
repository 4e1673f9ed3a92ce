import { lstatSync, mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";

/** A folder that the bridge needs in a working directory cannot be created there, or leads elsewhere. */
export class ScopeRefusedError extends Error {
	override readonly name = "ScopeRefusedError";
	readonly code = "SCOPE_REFUSED";
}

/**
 * Creates `segments` below a real path one by one, each a real directory (never a link), mode 0700; the last one is new and empty. An empty
 * one left by an earlier attempt is replaced. Synchronous, because a few calls per turn are cheaper without a thread for each.
 * @returns the real path of the last
 * @throws ScopeRefusedError
 */
export function makeEmptyDirectory(realParent: string, segments: readonly string[]): string {
	const parents = segments.slice(0, -1);
	let parent = realParent;
	for (const segment of parents) {
		parent = join(parent, segment);
		makeDirectory(parent);
	}
	const directory = join(parent, segments.at(-1) ?? "");
	makeNew(directory);
	// Another process may have swapped a parent in the meantime.
	if (realpathSync.native(directory) !== directory) throw new ScopeRefusedError(`${directory} leads elsewhere`);
	return directory;
}

function makeDirectory(directory: string): void {
	try {
		mkdirSync(directory, { mode: 0o700 });
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw refused(directory, error);
		if (!lstatSync(directory).isDirectory()) throw new ScopeRefusedError(`${directory} is a link or a file, not a directory`);
	}
}

function makeNew(directory: string): void {
	try {
		mkdirSync(directory, { mode: 0o700 });
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw refused(directory, error);
		replaceEmpty(directory);
	}
}

function replaceEmpty(directory: string): void {
	try {
		// rmdir refuses a directory that is not empty, and anything that is not a directory.
		rmdirSync(directory);
		mkdirSync(directory, { mode: 0o700 });
	} catch (error) {
		throw refused(directory, error);
	}
}

function refused(directory: string, cause: unknown): ScopeRefusedError {
	const reason = systemErrorCode(cause) ?? "unknown";
	return new ScopeRefusedError(`${directory} cannot be made: ${reason}`, { cause });
}
