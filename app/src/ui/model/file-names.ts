import { visibleName } from "./visible-text.ts";

/** Spaces of another width: systems put them into names of files, as macOS does before AM and PM. */
const ODD = "\\u00A0\\u2000-\\u200A\\u202F\\u205F\\u3000";
/** What shows, but for the slash between folders. */
const SHOWN = "[[\\p{L}\\p{N}\\p{P}\\p{S}]--[\\/]]";
/** Alone between two characters that show: beside another space, or at an end, it could hide where a name ends. */
const LONE_SPACE = new RegExp(`(?<=${SHOWN})[${ODD}](?=${SHOWN})`, "gv");

/** A file's name as a person reads it: a space of another width is a space, all else that does not show is written out. */
export function fileName(name: string): string {
	return visibleName(name.replace(LONE_SPACE, " "));
}

/** How to show each of the names that are shown together: two that would read the same are written out. */
export function fileNames(names: readonly string[]): (name: string) => string {
	const uses = new Map<string, number>();
	for (const name of new Set(names)) uses.set(fileName(name), (uses.get(fileName(name)) ?? 0) + 1);
	return (name) => ((uses.get(fileName(name)) ?? 1) === 1 ? fileName(name) : visibleName(name));
}
