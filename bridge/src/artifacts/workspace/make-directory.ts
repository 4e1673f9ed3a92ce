import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { holdDirectory } from "@xworkmate/platform/scope-tree";

/** The working directory cannot be used, or the bridge cannot create what it needs there. */
export class ScopeRefusedError extends Error {
	override readonly name = "ScopeRefusedError";
	readonly code = "SCOPE_REFUSED";
}

/**
 * Creates the missing directories of the path `segments` below a real path, with mode 0700; none of them may be a link. The last one is
 * always new and empty: an empty one left by an earlier attempt is replaced. Synchronous, because a few calls per turn cost less than a
 * worker thread for each of them.
 * @returns the real path of the last directory
 * @throws ScopeRefusedError
 */
export function makeEmptyDirectory(realParent: string, segments: readonly string[]): string {
	let parent = realParent;
	for (const segment of segments.slice(0, -1)) {
		parent = join(parent, segment);
		makeDirectory(parent);
	}
	const directory = addEmptyDirectory(realParent, realParent, segments);
	if (directory === undefined) throw new ScopeRefusedError(`${parent} leads through a link, was moved, or cannot be read`);
	return directory;
}

/**
 * Creates the last of `segments` as makeEmptyDirectory does, provided that the others already exist and are real directories below
 * `realParent`.
 * @param parent a path that should lead to `realParent`
 * @returns undefined if it does not, if the others are not all there, or if a link is among them
 */
export function addEmptyDirectory(parent: string, realParent: string, segments: readonly string[]): string | undefined {
	const [parents, name] = [segments.slice(0, -1), segments.at(-1) ?? ""];
	using held = holdDirectory(join(parent, ...parents), join(realParent, ...parents));
	if (held === undefined) return undefined;
	const directory = join(realParent, ...segments);
	makeNew(join(held.path, name), directory);
	// Another process may have moved a parent in the meantime.
	if (!held.isInPlace()) throw new ScopeRefusedError(`${directory} is no longer where it was created`);
	return directory;
}

function makeDirectory(directory: string): void {
	try {
		if (isDirectory(directory)) return;
		mkdirSync(directory, { mode: 0o700 });
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw refused(directory, error);
		if (!isDirectory(directory)) throw new ScopeRefusedError(`${directory} is a link or a file, not a directory`);
	}
}

function isDirectory(path: string): boolean {
	return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @param directory the path to show in messages */
function makeNew(path: string, directory: string): void {
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw refused(directory, error);
		replaceEmpty(path, directory);
	}
}

function replaceEmpty(path: string, directory: string): void {
	try {
		// rmdir refuses a directory that is not empty, and anything that is not a directory.
		rmdirSync(path);
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		throw refused(directory, error);
	}
}

function refused(directory: string, cause: unknown): ScopeRefusedError {
	const reason = systemErrorCode(cause) ?? "unknown";
	return new ScopeRefusedError(`${directory} cannot be created: ${reason}`, { cause });
}
