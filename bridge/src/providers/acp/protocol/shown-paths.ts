/**
 * Fields that contain text. Within that text, only the headers of a `diff` name files that the call affects; any other path is just
 * content.
 */
export const textKeys: ReadonlySet<string> = new Set([
	...["content", "old_string", "new_string", "replace_all", "oldString", "newString", "replaceAll", "before", "after"],
	...["oldText", "newText", "diff", "instruction", "description", "expected_replacements"],
]);

/** A string of a JSON text, complete or cut off at the end of the text, with the colon after it if it is a key. */
const STRINGS = /"((?:[^"\\]|\\.)*)(?:("\s*:)|(")|\\?$)/gsu;
/** A line that names a file in a patch of Codex's format. */
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.*)$/gmu;
/** A character that continues a path or a word. */
const INNER = /[\p{L}\p{N}\p{M}\p{Cs}_./\\~…-]/u;

/**
 * Returns a function that says whether a shown text (a call's input or title) names a file. `spelled` maps all spellings of a path to one.
 * In the fields of an input, the file is named if a value or a key is its path, or if a command or the header of a patch contains the path.
 * A part of another path, or of a text to be written, does not name a file.
 */
export function pathsShown(shown: string, spelled: (path: string) => string): (path: string) => boolean {
	const whole = new Set<string>();
	const lines: string[] = [];
	if (/^[[{]/u.test(shown)) collect(shown, (path) => whole.add(spelled(path)), lines);
	else lines.push(shown);
	return (path) => whole.has(spelled(path)) || lines.some((line) => hasWord(line, path) || hasWord(line, spelled(path)));
}

/** The files that a patch names; a single empty path if the patch names several files or its format is unknown. */
export function patchedPaths(patch: unknown): readonly string[] {
	if (typeof patch !== "string" || /^\*\*\* /m.test(patch)) return [""];
	const headers = [...patch.matchAll(/^(?:\+\+\+|---) ([^\t\n\r]*)/gm)].map(([, path = ""]) => path);
	return headers.length === 2 ? headers : [""];
}

/** Finds the strings in a JSON text that may name files. The text may be cut off. */
function collect(json: string, addPath: (path: string) => void, lines: string[]): void {
	let key = "";
	for (const [, inside = "", asKey, end] of json.matchAll(STRINGS)) {
		if (asKey === undefined && end === undefined) return;
		const value = unescaped(inside);
		if (asKey !== undefined) key = value;
		if (asKey !== undefined || !textKeys.has(key)) addPath(value);
		if (asKey !== undefined) continue;
		if (key === "command" || key === "cmd") lines.push(value);
		if (key === "diff") for (const path of patchedPaths(value)) addPath(path);
		if (!textKeys.has(key) || key === "diff") for (const [, path = ""] of value.matchAll(PATCHED)) addPath(path);
	}
}

function unescaped(inside: string): string {
	try {
		const value: unknown = JSON.parse(`"${inside}"`);
		return typeof value === "string" ? value : inside;
	} catch {
		// The string is not valid JSON after all, so it is compared as it is written.
		return inside;
	}
}

/** Whether a line contains the path outside of any longer path or word. */
function hasWord(line: string, path: string): boolean {
	for (let at = line.indexOf(path); at !== -1; at = line.indexOf(path, at + 1)) {
		if (!INNER.test(line.charAt(at - 1)) && !INNER.test(line.charAt(at + path.length))) return true;
	}
	return false;
}
