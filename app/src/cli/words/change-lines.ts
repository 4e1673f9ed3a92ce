import type { Edit } from "@xworkmate/contracts";
import { printable } from "../../text/printable.ts";

const signs = { added: "A", modified: "M", deleted: "D" } as const;

const hindrances = {
	too_large: "too large, so it can only be listed",
	name: "its name is not valid UTF-8, so it can only be listed",
	filtered: "stored through a git filter, so it can't be shown, applied or discarded",
} as const;

const outsides = {
	changed: "(changed outside the thread's runs, so it can't be discarded)",
	unknown: "(XWorkmate doesn't know what the run left in it, so it can't be discarded)",
} as const;

const applieds = {
	undone: "(applied earlier, undone in your folder)",
	changed: "(applied earlier, but changed or deleted in your folder since, so it can't be applied again)",
} as const;

/** One line for each changed file: A, M or D, the path, the numbers of added and removed lines, and any notes. */
export function changeLines(files: readonly Edit[]): string[] {
	return files.map((file) => `  ${signs[file.status]} ${shownPath(file.path)}${details(file)}`);
}

function details({ addedLines, removedLines, binary, link, executable, hindrance, outside, committed, applied }: Edit): string {
	const isModeAlone = executable !== undefined && addedLines === 0 && removedLines === 0;
	const parts = [
		hindrance !== undefined && hindrances[hindrance],
		binary && "binary",
		link && "link",
		executable !== undefined && (executable ? "now executable" : "no longer executable"),
		!isModeAlone && addedLines !== undefined && `+${addedLines}`,
		!isModeAlone && removedLines !== undefined && `-${removedLines}`,
		outside !== undefined && outsides[outside],
		applied !== undefined && applieds[applied],
		committed && (applied ?? hindrance) === undefined ? "(committed to the branch, not applied)" : committed && "(committed to the branch)",
	].filter((part) => part !== undefined && part !== false);
	return parts.length === 0 ? "" : `  ${parts.join(" ")}`;
}

/**
 * A path as it can be typed. If it has characters that a terminal hides or interprets, it is in quotes, with escapes. A path that begins like
 * an option begins with "./" instead.
 */
export function shownPath(path: string): string {
	if (printable(path) === path && !/[\n\t"]/.test(path)) return path.startsWith("-") ? `./${path}` : path;
	return JSON.stringify(path).replaceAll(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, escaped);
}

function escaped(character: string): string {
	return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}

export function countedFiles(count: number): string {
	return count === 1 ? "1 file" : `${count} files`;
}
