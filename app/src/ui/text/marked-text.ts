/** A part of a text, in UTF-16 units. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** A piece of a text that is either wholly inside one range or outside of all ranges. */
export interface MarkedPiece {
	readonly text: string;
	/** The index of the range that the piece is in; absent if it is in none. */
	readonly of?: number;
	/** Present for the first piece of a range. */
	readonly isFirst?: true;
}

/** The ranges between two positions, relative to the first position. */
export function rangesWithin(ranges: readonly TextRange[], from: number, to: number): readonly TextRange[] {
	return ranges.flatMap(({ start, end }) =>
		start < to && end > from && start < end ? [{ start: Math.max(0, start - from), end: Math.min(to, end) - from }] : [],
	);
}

/** Moves ranges to the positions that their text has once every line ends with a single line feed. */
export function rangesInLines(text: string, ranges: readonly TextRange[]): readonly TextRange[] {
	if (!text.includes("\r\n")) return ranges;
	const shifted = (offset: number) => offset - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);
	return ranges.map(({ start, end }) => ({ start: shifted(start), end: shifted(end) }));
}

/** Cuts a text where ranges begin and end. The ranges must be in order; where two overlap, the first one takes precedence. */
export function cutAt(text: string, ranges: readonly TextRange[]): readonly MarkedPiece[] {
	const pieces: MarkedPiece[] = [];
	let at = 0;
	ranges.forEach(({ start, end }, of) => {
		const from = Math.max(at, start);
		const to = Math.min(text.length, end);
		if (from >= to) return;
		if (from > at) pieces.push({ text: text.slice(at, from) });
		pieces.push({ text: text.slice(from, to), of, isFirst: true });
		at = to;
	});
	if (at < text.length) pieces.push({ text: text.slice(at) });
	return pieces;
}
