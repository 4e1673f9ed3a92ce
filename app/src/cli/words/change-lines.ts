import type { Edit } from "@xworkmate/contracts";
import { printable } from "../../text/printable.ts";

const signs = { added: "A", modified: "M", deleted: "D" } as const;

const hindrances = {
	too_large: "too large to show or apply",
	name: "its name is not text, so it can only be listed",
	filtered: "stored through a filter, so it can only be listed",
} as const;

/** A line for each changed file: A, M or D, its path, and how many lines. */
export function changeLines(files: readonly Edit[]): string[] {
	return files.map((file) => `  ${signs[file.status]} ${shownPath(file.path)}${details(file)}`);
}

function details({ addedLines, removedLines, binary, link, hindrance }: Edit): string {
	const parts = [
		hindrance !== undefined && hindrances[hindrance],
		binary && "binary",
		link && "link",
		addedLines !== undefined && `+${addedLines}`,
		removedLines !== undefined && `-${removedLines}`,
	].filter((part) => part !== undefined && part !== false);
	return parts.length === 0 ? "" : `  ${parts.join(" ")}`;
}

/** As it can be typed, unless it has characters that a terminal doesn't show: then in quotes, with escapes. */
export function shownPath(path: string): string {
	return printable(path) === path && !/[\n\t"]/.test(path) ? path : JSON.stringify(printableEscapes(path));
}

function printableEscapes(path: string): string {
	return path.replaceAll(/[^\P{Cc}\n\t]/gu, (character) => `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`);
}

export function countedFiles(count: number): string {
	return count === 1 ? "1 file" : `${count} files`;
}
