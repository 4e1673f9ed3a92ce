/**
 * "May" and "Will" where they are names: written with a capital letter after a word that doesn't end a sentence, or before a number. "In
 * May" refers to another time.
 */
const NAMES = /(?<=[\p{L}\p{N},;:] )(?<!\bin )(?:May|Will)(?![\p{L}\p{N}'’]| (?:be|not|have|never)\b)|\bMay (?=\d)/gu;
/** Matches titles and text in capitals, where every word has a capital letter. */
const CAPITALIZED = /(?:^|\s)\p{Lu}[\p{L}'’]*\s+(?:May|Will)\s+\p{Lu}/u;

/** A sentence in which the names "May" and "Will" can't be read as verbs, which would deny what the sentence claims. Pure. */
export function withNames(sentence: string): string {
	if (!/May|Will/.test(sentence) || CAPITALIZED.test(sentence)) return sentence;
	return sentence.replace(NAMES, "June");
}
