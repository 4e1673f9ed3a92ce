/**
 * Combining marks of several scripts, such as accents and vowel points, and Hebrew's own. Vowel signs of Indic scripts are
 * excluded, because a word without them is another word.
 */
const MARKS = /[\p{Script=Inherited}\u0591-\u05C7]/gu;
/** Markdown's marks around words, which lists and pages do not show. */
const EMPHASIS = /[*`]/g;
const ASCII = /^[\0-\x7F]*$/;

/** A text as search compares it: without case, accents, variant letter forms or emphasis, and with every gap as one space. */
export function foldText(text: string): string {
	const folded = ASCII.test(text) ? text.toLowerCase() : foldLetters(text);
	return folded.replace(EMPHASIS, "").replace(/\s+/g, " ");
}

function foldLetters(text: string): string {
	return text.normalize("NFKD").replace(MARKS, "").toLowerCase().replaceAll("ς", "σ").replaceAll("ß", "ss");
}

export interface TextHit {
	readonly start: number;
	/** The position after its last character and the marks that belong to it. */
	readonly end: number;
}

/** The first match of a wanted text, both compared in folded form. */
export function findFolded(text: string, wanted: string): TextHit | undefined {
	return foldedHits(text, wanted, 1)[0];
}

/** Matches of a wanted text from the beginning, none within another; at most so many. */
export function foldedHits(text: string, wanted: string, most: number): readonly TextHit[] {
	const needle = foldText(wanted).trim();
	// Cheaper than the positions, and most texts do not have it.
	if (needle === "" || !foldText(text).includes(needle)) return [];
	// Folded character by character, so that a position in the folded text maps back to the original.
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
		// A folded character ends where the next one begins; a letter that folds into two characters counts as one.
		let after = found + needle.length;
		while (after < starts.length && (starts[after] ?? 0) <= last) after += 1;
		hits.push({ start, end: starts[after] ?? text.length });
	}
	return hits;
}
