/** Begins with a letter, and has no sign that has a meaning in Markdown; empty lines may follow. */
const PLAIN = /^[\p{L}"'“‘(][\p{L}\p{N} .,;:?!'"“”‘’()/%–—…-]*\n*$/u;
/** An address becomes a link without any signs around it. */
const ADDRESS = /:\/\/|www\./i;

/** True for a single line that Markdown would show unchanged, as one paragraph: most of what agents write while they work. */
export function isPlainSentence(text: string): boolean {
	return PLAIN.test(text) && !ADDRESS.test(text);
}
