/** Names that begin with a lowercase letter even at the start of a sentence. */
const SMALL = new Set(["npm", "xworkmate"]);

/** Turns an error message into a sentence: capitalized, unless it begins with code or a path, and with a period. */
export function asSentence(text: string): string {
	const trimmed = text.trim();
	const first = /^\S*/u.exec(trimmed)?.[0] ?? "";
	const isCode = SMALL.has(first) || /[\d_/\\`(){}=@#~]|\p{Ll}\p{Lu}|\p{L}[.:]\p{L}/u.test(first);
	const begun = isCode ? trimmed : trimmed.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
	return begun === "" || /[.!?…:]["'”’)\]]*$/u.test(begun) ? begun : `${begun}.`;
}
