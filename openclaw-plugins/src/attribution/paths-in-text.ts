/** How much of a text is searched, from its beginning. */
const MAX_CHARACTERS = 1024 * 1024;
const MAX_PATHS = 200;

/**
 * The absolute paths below one of the roots that a text may name: the rest of the line at the beginning of the text or after `MEDIA:`, the
 * content of quotes, `<>` or `()`, and the text up to the next blank or delimiter. Whether a path exists is checked later.
 */
export function pathsInText(text: string, roots: readonly string[]): readonly string[] {
	const searched = text.slice(0, MAX_CHARACTERS);
	const found = new Set<string>();
	for (const root of roots) {
		for (let at = searched.indexOf(`${root}/`); at !== -1 && found.size < MAX_PATHS; at = searched.indexOf(`${root}/`, at + 1)) {
			for (const path of candidates(searched, at)) found.add(path);
		}
	}
	return [...found].slice(0, MAX_PATHS);
}

function candidates(text: string, at: number): readonly string[] {
	const line = /^[^\r\n\0]*/.exec(text.slice(at, at + 4096))?.[0] ?? "";
	const before = text[at - 1] ?? "";
	const quoted = `"'\`<(`.includes(before) && before !== "" ? line.split(CLOSING[before] ?? before)[0] : undefined;
	const word = withoutPunctuation(/^[^\s"'`<>|)\]},;]*/.exec(line)?.[0] ?? "");
	const whole = at === 0 || text.endsWith("MEDIA:", at) || text.endsWith("MEDIA: ", at) ? line.trim() : undefined;
	return [quoted, word, whole].flatMap((path) => (path ? [path] : []));
}

function withoutPunctuation(word: string): string {
	let end = word.length;
	while (end > 0 && ".:!?".includes(word[end - 1] ?? " ")) end--;
	return word.slice(0, end);
}

const CLOSING: Readonly<Record<string, string>> = { "<": ">", "(": ")" };
