const MAX_CHARACTERS = 200;

/** A path from the program for display only, never to open a file: hostile characters are escaped, and a long path is cut off. */
export function shownPath(path: string): string {
	const head = path.slice(0, MAX_CHARACTERS);
	const shown = head.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
	return path.length > MAX_CHARACTERS ? `${shown}…` : shown;
}
