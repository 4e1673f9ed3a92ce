/** One line of a shown change. `before` and `after` are line numbers from 1. */
export interface DiffLine {
	readonly kind: "same" | "added" | "removed";
	readonly text: string;
	readonly before?: number;
	readonly after?: number;
}

const CONTEXT = 3;
/** Beyond this the middle is shown as one removal and one addition: a table of all pairs would block the page. */
const MAX_CELLS = 400_000;

/** Lines of a change with a little context. */
export function diffLines(oldText: string, newText: string): readonly DiffLine[] {
	const before = oldText === "" ? [] : oldText.split("\n");
	const after = newText === "" ? [] : newText.split("\n");
	let head = 0;
	while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
	let tail = 0;
	while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
	const middle = changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail), head);
	const lead = before.slice(Math.max(0, head - CONTEXT), head).map((text, index) => same(text, Math.max(0, head - CONTEXT) + index, 0));
	const shift = after.length - before.length;
	const trail = before
		.slice(before.length - tail, before.length - tail + CONTEXT)
		.map((text, index) => same(text, before.length - tail + index, shift));
	return [...lead, ...middle, ...trail];
}

export function countChanges(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
	return { added: lines.filter(({ kind }) => kind === "added").length, removed: lines.filter(({ kind }) => kind === "removed").length };
}

function same(text: string, index: number, shift: number): DiffLine {
	return { kind: "same", text, before: index + 1, after: index + 1 + shift };
}

function changed(before: readonly string[], after: readonly string[], offset: number): readonly DiffLine[] {
	const removed = (index: number): DiffLine => ({ kind: "removed", text: before[index] ?? "", before: offset + index + 1 });
	const added = (index: number): DiffLine => ({ kind: "added", text: after[index] ?? "", after: offset + index + 1 });
	if (before.length * after.length > MAX_CELLS) return [...before.keys().map(removed), ...after.keys().map(added)];
	const lengths = commonLengths(before, after);
	const lines: DiffLine[] = [];
	let left = 0;
	let right = 0;
	while (left < before.length || right < after.length) {
		const here = before[left];
		if (left < before.length && right < after.length && here === after[right]) {
			lines.push({ kind: "same", text: here ?? "", before: offset + left + 1, after: offset + right + 1 });
			left += 1;
			right += 1;
		} else if (
			right >= after.length ||
			(left < before.length && lengthAt(lengths, left + 1, right) >= lengthAt(lengths, left, right + 1))
		) {
			lines.push(removed(left));
			left += 1;
		} else {
			lines.push(added(right));
			right += 1;
		}
	}
	return lines;
}

/** Longest common subsequence of each pair of tails. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
	const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
	for (let left = before.length - 1; left >= 0; left--) {
		for (let right = after.length - 1; right >= 0; right--) {
			const row = rows[left];
			if (row === undefined) continue;
			row[right] =
				before[left] === after[right]
					? lengthAt(rows, left + 1, right + 1) + 1
					: Math.max(lengthAt(rows, left + 1, right), lengthAt(rows, left, right + 1));
		}
	}
	return rows;
}

function lengthAt(rows: readonly Uint32Array[], left: number, right: number): number {
	return rows[left]?.[right] ?? 0;
}
