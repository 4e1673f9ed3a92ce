import { diffArrays } from "diff";

/** One line of a change. `before` and `after` are its line numbers in the two versions, counted from 1. */
export interface DiffLine {
	readonly kind: "same" | "added" | "removed";
	readonly text: string;
	readonly before?: number;
	readonly after?: number;
}

const CONTEXT = 3;
/** A change with more edits is shown as one removal and one addition, because searching for the shortest diff would block the page. */
const MOST_EDITS = 1_000;

/** The lines of a change, with a few lines of context. */
export function diffLines(oldText: string, newText: string): readonly DiffLine[] {
	// The line feed at the end of a file does not start a new line, unless the other version is not empty and lacks one.
	const isEnded = [oldText, newText].every((text) => text === "" || text.endsWith("\n"));
	const before = linesOf(oldText, isEnded);
	const after = linesOf(newText, isEnded);
	let head = 0;
	while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
	let tail = 0;
	while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
	const lead = before.slice(Math.max(0, head - CONTEXT), head);
	const trail = before.slice(before.length - tail, before.length - tail + CONTEXT);
	const changes = changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
	let left = head - lead.length;
	let right = left;
	return [{ value: lead }, ...changes, { value: trail }].flatMap(({ value, removed, added }: Change) =>
		value.map((text): DiffLine => {
			if (removed) return { kind: "removed", text, before: ++left };
			if (added) return { kind: "added", text, after: ++right };
			return { kind: "same", text, before: ++left, after: ++right };
		}),
	);
}

export function countChanges(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
	return { added: lines.filter(({ kind }) => kind === "added").length, removed: lines.filter(({ kind }) => kind === "removed").length };
}

interface Change {
	readonly value: readonly string[];
	readonly removed?: boolean;
	readonly added?: boolean;
}

function changed(before: readonly string[], after: readonly string[]): readonly Change[] {
	const found = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
	return (
		found ?? [
			{ value: before, removed: true },
			{ value: after, added: true },
		]
	);
}

function linesOf(text: string, isEnded: boolean): readonly string[] {
	return text === "" ? [] : (isEnded ? text.slice(0, -1) : text).split("\n");
}
