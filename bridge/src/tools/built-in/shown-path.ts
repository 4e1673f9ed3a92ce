const MAX_CHARACTERS = 200;

/** A path from the program, safe for display: hostile characters are escaped, a long path is truncated. Never opened. */
export function shownPath(path: string): string {
	const head = path.slice(0, MAX_CHARACTERS);
	const shown = head.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
	return path.length > MAX_CHARACTERS ? `${shown}…` : shown;
}
