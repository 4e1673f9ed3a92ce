/** The name of a file that is being typed after `@`. */
export interface Mention {
	/** The position of the `@`. */
	readonly from: number;
	readonly to: number;
	readonly text: string;
}

const LONGEST = 100;

/**
 * The text between the caret and an `@` at the beginning of a word. Undefined if the caret is elsewhere. An email address has letters
 * before its `@`, so it does not count.
 */
export function mentionAt(prompt: string, caret: number): Mention | undefined {
	const before = prompt.slice(Math.max(0, caret - LONGEST), caret);
	const found = /(?:^|[\s([{"'])@([^\s@]*)$/u.exec(before);
	if (found === null) return undefined;
	const text = found[1] ?? "";
	return { from: caret - text.length - 1, to: caret, text };
}

/**
 * Replaces what was typed with a file's name; returns the prompt and the position of the caret. A name that contains a space is put in
 * quotation marks.
 */
export function withMention(prompt: string, { from, to }: Mention, path: string): { readonly prompt: string; readonly caret: number } {
	const name = /\s/u.test(path) ? `"${path}"` : path;
	const rest = prompt.slice(to);
	const gap = rest.startsWith(" ") || rest.startsWith("\n") ? "" : " ";
	return { prompt: `${prompt.slice(0, from)}${name}${gap}${rest}`, caret: from + name.length + 1 };
}
