/** A piece of advice: words, and commands to take along. */
export type FixPiece = { readonly text: string } | { readonly command: string };

/**
 * "Install it: npm install x" and "Run `npm install x`, then try again." are words and a command; "chmod 600 x" is a
 * command; "Set A and B, then start again." is words alone. Nothing but the look, and what is copied, depends on it.
 */
export function readFix(fix: string): readonly FixPiece[] {
	if (/`[^`]+`/.test(fix)) return quotedPieces(fix);
	const [, lead = "", rest = fix] = /^([A-Z][^:`/]{0,60}:) (\S.*)$/s.exec(fix) ?? [];
	const last = isSentence(rest) ? { text: rest } : { command: rest };
	return lead === "" ? [last] : [{ text: `${lead} ` }, last];
}

/** What the copy button takes along; undefined where there is nothing to type. */
export function commandOf(pieces: readonly FixPiece[]): string | undefined {
	const commands = pieces.flatMap((piece) => ("command" in piece ? [piece.command] : []));
	// A command has more than one word; the name of a setting, which is quoted as well, has not.
	return commands.find((command) => command.includes(" ")) ?? commands[0];
}

function quotedPieces(fix: string): readonly FixPiece[] {
	return fix.split("`").flatMap((part, index) => (part === "" ? [] : [index % 2 === 1 ? { command: part } : { text: part }]));
}

/** Advice begins as a sentence does, or ends as one; commands do neither. */
function isSentence(text: string): boolean {
	return /^[A-Z][a-z]* /.test(text) || /\w[.!?]$/.test(text);
}
