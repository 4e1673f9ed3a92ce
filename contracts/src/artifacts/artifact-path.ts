const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
const RESERVED = new Set([".xworkmate", ".versions"]);

export type PathProblem = "unsafe_name" | "reserved_name";

/**
 * Why an artifact may not have this relative path; undefined if it may. Unsafe paths are refused, never corrected. Safe means: UTF-8 in
 * NFC, '/'-separated, no empty, '.' or '..' segment, no control character, no backslash, no bidirectional control, no byte order mark, no
 * reserved folder as the first segment, at most 1024 bytes and 255 in a segment.
 */
export function artifactPathProblem(path: string): PathProblem | undefined {
	if (path === "" || !path.isWellFormed() || path.normalize("NFC") !== path) return "unsafe_name";
	if (new TextEncoder().encode(path).length > MAX_PATH_BYTES) return "unsafe_name";
	if (hasUnsafeCharacter(path)) return "unsafe_name";
	const segments = path.split("/");
	for (const segment of segments) {
		if (segment === "" || segment === "." || segment === "..") return "unsafe_name";
		if (new TextEncoder().encode(segment).length > MAX_SEGMENT_BYTES) return "unsafe_name";
	}
	return RESERVED.has(caseFold(segments[0] ?? "")) ? "reserved_name" : undefined;
}

/** True for a backslash, a control character, a character that changes the direction of text, or a byte order mark. */
export function hasUnsafeCharacter(path: string): boolean {
	return /[\p{Cc}\\\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(path);
}

/** Two paths with the same key collide on a disk that ignores case or normalizes names. */
export function caseFold(path: string): string {
	return path.normalize("NFC").toLowerCase().normalize("NFC");
}
