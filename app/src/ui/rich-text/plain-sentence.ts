/**
 * A line that begins with a letter, a quotation mark or a parenthesis and contains no character that has a meaning in Markdown. Empty lines
 * may follow.
 */
const PLAIN = /^[\p{L}"'“‘(][\p{L}\p{N} .,;:?!'"“”‘’()/%–—…-]*\n*$/u;
/** Web addresses, which become links even without Markdown. */
const ADDRESS = /:\/\/|www\./i;

/** True for a single line that Markdown would show unchanged as one paragraph. Most of what agents write while they work is like this. */
export function isPlainSentence(text: string): boolean {
	return PLAIN.test(text) && !ADDRESS.test(text);
}
