/**
 * The candidate with the fewest single-letter edits from `name`, or undefined if none is close. With more than one edit for every three
 * letters (at least one edit is allowed), a candidate counts as a different word, not as a misspelling.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
	let best: string | undefined;
	let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
	for (const candidate of candidates) {
		const distance = editDistance(name, candidate);
		if (distance < bestDistance) {
			best = candidate;
			bestDistance = distance;
		}
	}
	return best;
}

/** Levenshtein distance, in which two swapped neighbors are one edit. */
function editDistance(a: string, b: string): number {
	let earlier: readonly number[] = [];
	let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			const swapped = isSwapped ? (earlier[j - 2] ?? 0) + 1 : substituted;
			next.push(Math.min(substituted, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		earlier = row;
		row = next;
	}
	return row[b.length] ?? 0;
}
