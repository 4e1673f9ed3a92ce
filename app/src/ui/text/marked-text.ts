/** A part of a text, UTF-16 units. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** A piece of a text that lies wholly inside a range, or outside of all. */
export interface MarkedPiece {
	readonly text: string;
	/** Which range it is of; absent: none. */
	readonly of?: number;
	/** The first piece of its range. */
	readonly isFirst?: true;
}

/** The ranges between two positions, measured from the first. */
export function rangesWithin(ranges: readonly TextRange[], from: number, to: number): readonly TextRange[] {
	return ranges.flatMap(({ start, end }) =>
		start < to && end > from && start < end ? [{ start: Math.max(0, start - from), end: Math.min(to, end) - from }] : [],
	);
}

/** The same places once every line ends with a line feed alone. */
export function rangesInLines(text: string, ranges: readonly TextRange[]): readonly TextRange[] {
	if (!text.includes("\r\n")) return ranges;
	const shifted = (offset: number) => offset - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);
	return ranges.map(({ start, end }) => ({ start: shifted(start), end: shifted(end) }));
}

/** Cuts a text where ranges begin and end. They are in order; what overlaps belongs to the first. */
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
