/** A plain word in lower case. Identifiers, paths, file names and options do not match, and keep their case. */
const PLAIN_WORD = /^[a-z]+(?:['’][a-z]+)?(?=[ ,])/;
const ENDED = /[.!?…]["”’)]?$/;
/** "Start it: npm start" ends with a command to copy, so it gets no full stop. */
const ENDS_WITH_COMMAND = /^[A-Z][^:`]{0,60}: \S/;

/**
 * The text of an error for a user: it begins with a capital letter, unless it begins with an identifier, and ends with a full stop or
 * another closing mark, unless it has several lines. Error classes whose messages the user reads pass them through this function, so that
 * messages of a library or of a user's own file have the same form.
 */
export function sentence(text: string): string {
	const begun = text.replace(PLAIN_WORD, (word) => word.charAt(0).toUpperCase() + word.slice(1));
	return begun === "" || begun.includes("\n") ? begun : withFullStop(begun);
}

/** The text with a full stop, unless it ends with a closing mark. */
export function withFullStop(text: string): string {
	return ENDED.test(text) ? text : `${text}.`;
}

/** The same form for a fix, which may end with a command. */
export function advice(text: string): string {
	return ENDS_WITH_COMMAND.test(text) ? text : sentence(text);
}
