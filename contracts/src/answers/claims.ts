/** A sentence that says that something was done. UTF-16 units. */
export interface Claim {
	readonly start: number;
	readonly end: number;
}

const DONE = /\b(?:I(?:'ve| have)?|has been|have been|was|were|is now)\b[^.!?\n]*\b(?:scheduled|created|deleted|sent|added|booked|done)\b/i;

/**
 * The sentences of a text that claim an effect. A net, not a proof: it finds what is commonly said, in eight languages, and stays silent
 * about what is denied, asked, planned or quoted. Pure.
 */
export function claimsOf(text: string): readonly Claim[] {
	const claims: Claim[] = [];
	for (const { index, 0: sentence } of text.matchAll(/[^.!?\n]+[.!?]*/g)) {
		if (DONE.test(sentence)) claims.push({ start: index, end: index + sentence.length });
	}
	return claims;
}
