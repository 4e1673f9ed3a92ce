import { artifactPathProblem, hasUnsafeCharacter } from "./artifact-path.ts";

/**
 * Why a path cannot be one of a contract's `expectedArtifactDirs`, with the fix; undefined if it can. To be checked before a turn is
 * accepted.
 */
export function expectedFolderProblem(path: string): string | undefined {
	if (isFolder(withoutSlash(path))) return undefined;
	const plain = path
		.split("/")
		.filter((segment) => segment !== "" && segment !== ".")
		.join("/");
	const fix = !path.startsWith("/") && isFolder(plain) ? `write "${plain}"` : 'write a path such as "reports" or "reports/2026"';
	return `${reasonOf(withoutSlash(path))}: ${fix}`;
}

function reasonOf(path: string): string {
	const segments = path.split("/");
	if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
		return 'must be a folder inside the working directory, as a relative path without empty, "." or ".." segments';
	if (artifactPathProblem(path) === "reserved_name") return `must not begin with ${segments[0]}, which is reserved for XWorkmate`;
	if (!path.isWellFormed() || path.normalize("NFC") !== path) return "must be normalized Unicode text (NFC)";
	if (hasUnsafeCharacter(path)) return "must not contain backslashes, control characters, byte order marks or text-direction marks";
	return "must have at most 1,024 bytes, and at most 255 in each segment";
}

/**
 * The folders that `expectedArtifactDirs` names, without a trailing slash. A turn of an earlier bridge may contain paths that are not
 * inside the working directory; they are skipped.
 */
export function expectedFolders(paths: readonly string[]): readonly string[] {
	return [...new Set(paths.map(withoutSlash).filter(isFolder))];
}

function isFolder(path: string): boolean {
	return artifactPathProblem(path) === undefined;
}

/** Folders are often written as `reports/`, which means the same as `reports`. */
function withoutSlash(path: string): string {
	return path.endsWith("/") ? path.slice(0, -1) : path;
}
