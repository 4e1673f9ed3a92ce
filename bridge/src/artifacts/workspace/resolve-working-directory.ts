import { access, constants, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { isScopeError } from "@xworkmate/platform/scope-tree";

export type WorkingDirectoryProblem =
	| "not_absolute"
	| "no_allowed_roots"
	| "missing"
	| "not_a_directory"
	| "not_permitted"
	| "outside_allowed_roots";

export type WorkingDirectoryChoice =
	| { readonly directory: string }
	/** Use the bridge's own workspace; `message` goes into the run's notice. */
	| { readonly fallback: true; readonly reason: WorkingDirectoryProblem; readonly message: string };

const MESSAGES: Record<WorkingDirectoryProblem, string> = {
	not_absolute: "the working directory is not an absolute path",
	no_allowed_roots: "the bridge's computer has no project folders (allowedRoots)",
	missing: "the working directory does not exist on the bridge's computer, or cannot be read",
	not_a_directory: "the working directory is not a directory",
	not_permitted: "the bridge is not permitted to read and write in the working directory",
	outside_allowed_roots: "the working directory is outside the project folders (allowedRoots)",
};

/**
 * Uses a requested working directory if its real path is in or below an allowed root (docs/protocol.md#turns); roots that do not exist
 * allow nothing. Otherwise returns a fallback with its reason.
 * @returns the directory's real path
 */
export async function resolveWorkingDirectory(requested: string, allowedRoots: readonly string[]): Promise<WorkingDirectoryChoice> {
	if (!isAbsolute(requested) || requested.includes("\0")) return fallback("not_absolute");
	if (allowedRoots.length === 0) return fallback("no_allowed_roots");
	const directory = await realPathOf(requested);
	if (directory === undefined) return fallback("missing");
	const roots = await Promise.all(allowedRoots.map(realPathOf));
	if (!roots.some((root) => root !== undefined && isInside(directory, root))) return fallback("outside_allowed_roots");
	if (!(await stat(directory)).isDirectory()) return fallback("not_a_directory");
	return (await isPermitted(directory)) ? { directory } : fallback("not_permitted");
}

/**
 * The contract's `expectedArtifactDirs` as absolute paths. Those outside the working directory are left out, because a contract must not
 * make the bridge collect from elsewhere.
 * @param workingDirectory absolute real path
 */
export function resolveExtraDirectories(workingDirectory: string, expectedArtifactDirs: readonly string[]): readonly string[] {
	const resolved = expectedArtifactDirs.filter((path) => !path.includes("\0")).map((path) => resolve(workingDirectory, path));
	return [...new Set(resolved)].filter((directory) => isInside(directory, workingDirectory));
}

/** True for the parent itself and everything below it. Both paths have to be absolute and resolved. */
export function isInside(path: string, parent: string): boolean {
	const way = relative(parent, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function realPathOf(path: string): Promise<string | undefined> {
	try {
		return await realpath(path);
	} catch (error) {
		if (isScopeError(error)) return undefined;
		throw error;
	}
}

async function isPermitted(directory: string): Promise<boolean> {
	return await access(directory, constants.R_OK | constants.W_OK | constants.X_OK).then(
		() => true,
		() => false,
	);
}

function fallback(reason: WorkingDirectoryProblem): WorkingDirectoryChoice {
	return { fallback: true, reason, message: MESSAGES[reason] };
}
