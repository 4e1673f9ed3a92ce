import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";

/**
 * The real path that a write goes to: resolves the nearest existing folder and appends the rest. Undefined if it cannot be determined: for
 * a relative path (only the tool knows its base), a path that is not normalized, or one whose last segment is a link.
 */
export function realTarget(path: string): string | undefined {
	if (!isAbsolute(path) || path.includes("\0") || resolve(path) !== path) return undefined;
	try {
		if (lstatSync(path).isSymbolicLink()) return undefined;
	} catch (error) {
		if (!isMissing(error)) return undefined;
	}
	return realAncestor(dirname(path), [basename(path)]);
}

/** Where a path leads, with all links followed; the part that does not exist yet is appended. Undefined if that cannot be determined. */
export function realPlace(path: string): string | undefined {
	return path.includes("\0") ? undefined : realAncestor(path, []);
}

function realAncestor(folder: string, below: readonly string[]): string | undefined {
	try {
		return join(realpathSync(folder), ...below);
	} catch (error) {
		if (!isMissing(error) || dirname(folder) === folder || isDanglingLink(folder)) return undefined;
		return realAncestor(dirname(folder), [basename(folder), ...below]);
	}
}

function isDanglingLink(path: string): boolean {
	return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isMissing(error: unknown): boolean {
	return systemErrorCode(error) === "ENOENT";
}

/** True for a path below a folder; both must be absolute and normalized. */
export function isBelow(path: string, folder: string): boolean {
	return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
