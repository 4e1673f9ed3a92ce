/**
 * Combining marks of several scripts, such as accents and vowel points, and Hebrew's own. Vowel signs of Indic scripts are not included,
 * because a word without them is a different word.
 */
const MARKS = /[\p{Script=Inherited}\u0591-\u05C7]/gu;
/** Markdown's asterisks and backticks, which lists and pages do not show. */
const EMPHASIS = /[*`]/g;
const ASCII = /^[\0-\x7F]*$/;

/**
 * Converts text to the form that the search compares: without case, accents, variant letter forms or emphasis, and with each run of white
 * space as one space.
 */
export function foldText(text: string): string {
	const folded = ASCII.test(text) ? text.toLowerCase() : foldLetters(text);
	return folded.replace(EMPHASIS, "").replace(/\s+/g, " ");
}

function foldLetters(text: string): string {
	return text.normalize("NFKD").replace(MARKS, "").toLowerCase().replaceAll("ς", "σ").replaceAll("ß", "ss");
}

export interface TextHit {
	readonly start: number;
	/** The position after the last character of the match and the marks that belong to it. */
	readonly end: number;
}

/** The first match of the search text; both texts are compared in folded form. */
export function findFolded(text: string, wanted: string): TextHit | undefined {
	return foldedHits(text, wanted, 1)[0];
}

/** Up to `most` matches of the search text, from the beginning and without overlaps. */
export function foldedHits(text: string, wanted: string, most: number): readonly TextHit[] {
	const needle = foldText(wanted).trim();
	// This check is cheaper than computing the positions, and most texts do not contain the search text.
	if (needle === "" || !foldText(text).includes(needle)) return [];
	// The text is folded character by character, so that a position in the folded text can be mapped back to the original.
	const starts: number[] = [];
	let folded = "";
	let at = 0;
	for (const character of text) {
		const next = foldText(character);
		const isGap = next === " " && folded.endsWith(" ");
		if (!isGap) {
			folded += next;
			for (let index = 0; index < next.length; index++) starts.push(at);
		}
		at += character.length;
	}
	const hits: TextHit[] = [];
	for (let found = folded.indexOf(needle); found !== -1 && hits.length < most; found = folded.indexOf(needle, found + needle.length)) {
		const start = starts[found] ?? 0;
		const last = starts[found + needle.length - 1] ?? start;
		// A folded character ends where the next one begins. A letter that folds into two characters counts as one.
		let after = found + needle.length;
		while (after < starts.length && (starts[after] ?? 0) <= last) after += 1;
		hits.push({ start, end: starts[after] ?? text.length });
	}
	return hits;
}
