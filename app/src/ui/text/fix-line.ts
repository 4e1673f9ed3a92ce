/** A fix: words, and commands to copy. */
export type FixPiece = { readonly text: string } | { readonly command: string };

/**
 * Splits a fix into words and commands. "Install it: npm install x" and "Run `npm install x`, then try again." contain both; "chmod 600 x"
 * is a command; "Set A and B, then start again." is only words. The split affects only the appearance and what is copied.
 */
export function readFix(fix: string): readonly FixPiece[] {
	if (/`[^`]+`/.test(fix)) return quotedPieces(fix);
	const [, lead = "", rest = fix] = /^([A-Z][^:`/]{0,60}:) (\S.*)$/s.exec(fix) ?? [];
	const last = isSentence(rest) ? { text: rest } : { command: rest };
	return lead === "" ? [last] : [{ text: `${lead} ` }, last];
}

/** The text that the copy button copies; undefined if there is nothing to type. */
export function commandOf(pieces: readonly FixPiece[]): string | undefined {
	const commands = pieces.flatMap((piece) => ("command" in piece ? [piece.command] : []));
	// A quoted piece may also be the name of a setting, which is a single word, so a piece with a space is preferred.
	return commands.find((command) => command.includes(" ")) ?? commands[0];
}

function quotedPieces(fix: string): readonly FixPiece[] {
	return fix.split("`").flatMap((part, index) => (part === "" ? [] : [index % 2 === 1 ? { command: part } : { text: part }]));
}

/** True for a fix in words: it begins or ends like a sentence, and a command does neither. */
function isSentence(text: string): boolean {
	return /^[A-Z][a-z]* /.test(text) || /\w[.!?]$/.test(text);
}
