/** Returns `ls -a` for `bash -lc 'ls -a'`. */
export function withoutShell(command: string): string {
	const [, inner] = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh -l?c (\S.*)$/s.exec(command.trim()) ?? [];
	if (inner === undefined) return command.trim();
	const quoted = /^'(.*)'$/s.exec(inner)?.[1]?.replaceAll("'\\''", "'") ?? /^"(.*)"$/s.exec(inner)?.[1];
	return (quoted ?? inner).trim();
}

/** Matches what a shell keeps unchanged, and the blanks between words. */
const PIECES = /\\.|'[^']*'|"(?:[^"\\]|\\.)*"|[ \t]+/gsu;

/**
 * Replaces blanks with one space wherever a shell ignores how many there are. A command with a here-document is returned unchanged, because
 * its lines are text.
 */
export function evenlySpaced(command: string): string {
	if (command.includes("<<")) return command.trim();
	return command.replace(PIECES, (piece) => (/^[ \t]/.test(piece) ? " " : piece)).trim();
}
