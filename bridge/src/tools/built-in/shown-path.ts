const MAX_CHARACTERS = 200;

/** A path from the program, made safe for display: hostile characters are escaped, and a long path is cut off. Never opened. */
export function shownPath(path: string): string {
	const head = path.slice(0, MAX_CHARACTERS);
	const shown = head.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
	return path.length > MAX_CHARACTERS ? `${shown}…` : shown;
}
