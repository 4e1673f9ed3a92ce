/** The phrases of a list of claim words, each with a space before and after. */
export function phrasesOf(list: string): readonly string[] {
	return list.split(" | ").map((phrase) => ` ${phrase} `);
}

/** Whether words contain one of the phrases, word by word. */
export function hasPhrase(phrases: readonly string[], words: readonly string[]): boolean {
	const text = ` ${words.join(" ")} `;
	return phrases.some((phrase) => text.includes(phrase));
}
