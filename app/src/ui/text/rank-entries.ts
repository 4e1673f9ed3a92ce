import { foldText } from "../../threads/domain/folded-text.ts";

/** The strings of an entry in which a search looks for its words. */
export interface Rankable {
	readonly text: string;
	/** Other words by which the entry is found. They count less than its name. */
	readonly also?: string;
}

const WHOLE_WORD = 6;
const FIRST_WORD = 5;
const WORD = 4;
const INSIDE = 2;
const SCATTERED = 1;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/**
 * The entries that match every word of a query, the best first; equally good entries keep their order. A word matches at the beginning of a
 * word, inside a word, or by its letters in order. Case and accents do not matter. An empty query matches every entry.
 */
export function rankEntries<T extends Rankable>(text: string, entries: readonly T[]): readonly T[] {
	const wanted = wordsOf(text);
	if (wanted.length === 0) return text.trim() === "" ? entries : [];
	const found = entries.flatMap((entry) => {
		const score = scoreOf(wanted, entry);
		return score === undefined ? [] : [{ entry, score }];
	});
	return found.sort((one, other) => other.score - one.score).map(({ entry }) => entry);
}

function scoreOf(wanted: readonly string[], { text, also = "" }: Rankable): number | undefined {
	const own = wordsOf(text);
	const others = wordsOf(also);
	let sum = 0;
	for (const word of wanted) {
		const best = Math.max(bestIn(own, word), bestIn(others, word) / 2);
		if (best === 0) return undefined;
		sum += best;
	}
	return sum;
}

function bestIn(words: readonly string[], wanted: string): number {
	return words.reduce((best, word, index) => Math.max(best, pointsOf(word, wanted, index)), 0);
}

function pointsOf(word: string, wanted: string, index: number): number {
	if (word === wanted) return WHOLE_WORD;
	if (word.startsWith(wanted)) return index === 0 ? FIRST_WORD : WORD;
	if (word.includes(wanted)) return INSIDE;
	return hasLetters(word, wanted) ? SCATTERED : 0;
}

/**
 * True if a word contains these letters in order, beginning with its own first letter: "stgs" matches "settings". Fewer than three letters
 * are not enough, because too many words contain them.
 */
function hasLetters(word: string, wanted: string): boolean {
	if (wanted.length < 3 || word[0] !== wanted[0]) return false;
	const letters = [...wanted];
	let at = 0;
	for (const letter of word) if (letter === letters[at]) at += 1;
	return at === letters.length;
}

function wordsOf(text: string): readonly string[] {
	return foldText(text)
		.split(BETWEEN_WORDS)
		.filter((word) => word !== "");
}
