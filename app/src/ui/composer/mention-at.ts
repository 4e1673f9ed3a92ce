/** A file's name that is being typed after `@`. */
export interface Mention {
	/** Where the `@` is. */
	readonly from: number;
	readonly to: number;
	readonly text: string;
}

const LONGEST = 100;

/** What is typed after an `@` that begins a word, up to the caret; undefined: the caret is elsewhere. An address has letters before it. */
export function mentionAt(prompt: string, caret: number): Mention | undefined {
	const before = prompt.slice(Math.max(0, caret - LONGEST), caret);
	const found = /(?:^|[\s([{"'])@([^\s@]*)$/u.exec(before);
	if (found === null) return undefined;
	const text = found[1] ?? "";
	return { from: caret - text.length - 1, to: caret, text };
}

/** The prompt with a file's name in the place of what was typed, and where the caret goes. A name with a space is in quotation marks. */
export function withMention(prompt: string, { from, to }: Mention, path: string): { readonly prompt: string; readonly caret: number } {
	const name = /\s/u.test(path) ? `"${path}"` : path;
	const rest = prompt.slice(to);
	const gap = rest.startsWith(" ") || rest.startsWith("\n") ? "" : " ";
	return { prompt: `${prompt.slice(0, from)}${name}${gap}${rest}`, caret: from + name.length + 1 };
}
