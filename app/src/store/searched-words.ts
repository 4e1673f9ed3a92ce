/** Characters of scripts that put no spaces between words, and symbols such as emoji. */
const DENSE =
	/([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Yiii}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{So}\p{Emoji_Modifier}]+)/u;
/** Letters and digits, or punctuation. Quotation marks are left out, because SQL would have to quote them in the tokenizer's options. */
const OTHERS = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}\p{C}\p{Z}'"]+/gu;
const IS_LETTER = /^[\p{L}\p{N}\p{M}]/u;

/**
 * The maximum length of a word, in UTF-16 code units. A longer run is rarely a word, and storing such runs would make the vocabulary as
 * large as the text itself.
 */
const LONGEST_WORD = 128;
/** The word that replaces a run that is too long. A single mark is otherwise never a word, so no other text produces it. */
export const LONG_RUN = "…";
/** The maximum number of pieces of a search text that are looked up. The turns found are compared with the whole text anyway. */
const MOST_PIECES = 8;

/** The tokenizer of the index separates words at spaces only. ASCII punctuation has to be listed, except what words never contain. */
export const tokenizer = String.raw`ascii tokenchars '!#$%&()+,-./:;<=>?@[\]^_{|}~'`;

/** A piece of a search text. */
export interface Piece {
	readonly text: string;
	/** The piece must be at the beginning of a word, because the text has another character before it. */
	readonly begins: boolean;
	/** The piece must be at the end of a word. */
	readonly ends: boolean;
}

/** Adjacent characters of one kind. */
interface Run {
	readonly text: string;
	readonly index: number;
	readonly kind: "word" | "dense" | "marks";
}

/** The words by which folded text is found: runs of letters and digits, and pairs of adjacent characters in other runs. */
export function wordsOf(folded: string): ReadonlySet<string> {
	const words = new Set<string>();
	for (const run of runsOf(untilNul(folded))) {
		if (run.kind !== "word") for (const pair of pairsOf(run)) words.add(pair);
		else words.add(run.text.length > LONGEST_WORD ? LONG_RUN : run.text);
	}
	return words;
}

/**
 * The pieces that occur in the words of every text that contains the folded text. There are none if the index cannot search for it.
 * `isExact`: every text with these pieces contains the folded text.
 */
export function soughtIn(folded: string): { readonly pieces: readonly Piece[]; readonly isExact: boolean } {
	const pieces = folded.includes("\0") ? [] : runsOf(folded).flatMap((run) => piecesOf(run, folded.length));
	const isExact = pieces.length === 1 && pieces[0]?.text === folded;
	// Longer pieces are rarer, so they narrow the search more.
	return { pieces: pieces.toSorted((a, b) => b.text.length - a.text.length).slice(0, MOST_PIECES), isExact };
}

/**
 * Splits text into runs. A character's kind does not depend on the characters around it, so each run of a substring is a run of the whole
 * text or a part of one.
 */
function runsOf(text: string): readonly Run[] {
	const runs: Run[] = [];
	let from = 0;
	for (const [place, part] of text.split(DENSE).entries()) {
		// In the result of `split`, the captured parts are at the odd indexes.
		if (place % 2 === 1) runs.push({ text: part, index: from, kind: "dense" });
		else
			for (const { 0: run, index } of part.matchAll(OTHERS))
				runs.push({ text: run, index: from + index, kind: IS_LETTER.test(run) ? "word" : "marks" });
		from += part.length;
	}
	return runs;
}

function piecesOf(run: Run, length: number): readonly Piece[] {
	const { text, index, kind } = run;
	const whole = { text, begins: index > 0, ends: index + text.length < length };
	if (kind === "word") return [whole];
	const pairs = pairsOf(run);
	// In a longer run, a single character occurs only as part of pairs, so it need not be a whole word.
	return pairs[0] === text && [...text].length === 1 ? [whole] : pairs.map((pair) => ({ text: pair, begins: true, ends: true }));
}

/**
 * The pairs of adjacent characters in a run. A single dense character is a word; a single mark is not, because most texts contain marks.
 */
function pairsOf({ text, kind }: Run): readonly string[] {
	const characters = [...text];
	if (characters.length === 1) return kind === "dense" ? [text] : [];
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** SQLite treats U+0000 as the end of a text. */
function untilNul(text: string): string {
	const end = text.indexOf("\0");
	return end === -1 ? text : text.slice(0, end);
}
