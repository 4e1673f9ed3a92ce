/** Characters that end a line, move the cursor, or reorder or hide text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu;

/** Text from elsewhere on one line, with everything that could disguise it shown as `\u{...}`. */
export function visible(text: string): string {
	return text.toWellFormed().replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Like `visible`, but returns at most `most` UTF-16 units: a longer text ends in an ellipsis. Never splits a character. */
export function visibleWithin(text: string, most: number): string {
	// Cut before escaping, so that a long text is not escaped in full only to be cut afterwards.
	const shown = visible(text.slice(0, most));
	if (shown.length <= most && text.length <= most) return shown;
	return `${shown.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
