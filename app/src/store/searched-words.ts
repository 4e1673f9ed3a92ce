/** Characters of scripts that put no spaces between words, and symbols such as emoji. */
const DENSE = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Yiii}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{So}\p{Emoji_Modifier}]`;
const LETTER = String.raw`[[\p{L}\p{N}\p{M}]--${DENSE}]`;
/** Punctuation. Quotation marks are left out, because SQL would have to quote them in the tokenizer's options. */
const MARK = String.raw`[[\p{P}\p{S}]--${DENSE}--['"]]`;
/**
 * Runs of characters of one class. The class of a character does not depend on its neighbours, so each run of a part of a text is a run of
 * the text, or the end, the beginning or the inside of one.
 */
const RUN = new RegExp(`${LETTER}+|${DENSE}+|${MARK}+`, "gv");
const IS_LETTER = new RegExp(`^${LETTER}`, "v");
const IS_DENSE = new RegExp(`^${DENSE}`, "v");

/** In UTF-16 code units. A longer run is hardly a word, and storing each would make the vocabulary as large as the texts. */
const LONGEST_WORD = 128;
/** The word of every text with a run that is too long for a word. It is a single mark, so no text has it otherwise. */
export const LONG_RUN = "…";
/** The most pieces of a text that are looked up. The turns that they select are compared with the text anyway. */
const MOST_PIECES = 8;

/** The tokenizer of the index separates words at spaces only. ASCII punctuation has to be listed, except what folded texts never contain. */
export const tokenizer = String.raw`ascii tokenchars '!#$%&()+,-./:;<=>?@[\]^_{|}~'`;

/** Part of a text that is searched for. */
export interface Piece {
	readonly text: string;
	/** The piece must be at the beginning of a word, because the text has another character before it. */
	readonly begins: boolean;
	/** The piece must be at the end of a word. */
	readonly ends: boolean;
}

/** The words by which a folded text is found: runs of letters and digits, and pairs of neighbours in other runs. */
export function wordsOf(folded: string): ReadonlySet<string> {
	const words = new Set<string>();
	for (const run of untilNul(folded).match(RUN) ?? []) {
		if (!IS_LETTER.test(run)) for (const pair of pairsOf(run)) words.add(pair);
		else words.add(run.length > LONGEST_WORD ? LONG_RUN : run);
	}
	return words;
}

/**
 * What the words of each text that contains a folded text have in common; none if the index cannot search for it. `isExact` if every text
 * with such words contains the folded text.
 */
export function soughtIn(folded: string): { readonly pieces: readonly Piece[]; readonly isExact: boolean } {
	const pieces = folded.includes("\0") ? [] : [...folded.matchAll(RUN)].flatMap(({ 0: run, index }) => piecesOf(run, index, folded.length));
	const isExact = pieces.length === 1 && pieces[0]?.text === folded;
	// Longer ones are rarer.
	return { pieces: pieces.toSorted((a, b) => b.text.length - a.text.length).slice(0, MOST_PIECES), isExact };
}

function piecesOf(run: string, index: number, length: number): readonly Piece[] {
	const bounds = { begins: index > 0, ends: index + run.length < length };
	if (IS_LETTER.test(run)) return [{ text: run, ...bounds }];
	const pairs = pairsOf(run);
	// A single character is also found in pairs, which are words of longer runs.
	return pairs[0] === run && [...run].length === 1 ? [{ text: run, ...bounds }] : pairs.map((text) => ({ text, begins: true, ends: true }));
}

/** Neighbours in a run. A single dense character is a word itself; a single mark is not, since most texts have some. */
function pairsOf(run: string): readonly string[] {
	const characters = [...run];
	if (characters.length === 1) return IS_DENSE.test(run) ? [run] : [];
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** For SQLite, a text ends at U+0000. */
function untilNul(text: string): string {
	const end = text.indexOf("\0");
	return end === -1 ? text : text.slice(0, end);
}
