/**
 * What may appear before and after a command in a text that names it. Next to anything else, the command is part of a word or of a longer
 * command.
 */
const BEFORE = /^["'`“(]?$/;
const AFTER = /^ ?(?:$|[\n)([]|\\*["'`”]|\\+n)/;

/** Matches what separates or quotes words, and the words between. In JSON, line breaks and quotes have backslashes. */
const BETWEEN = /(?:\\+[nrt]|\\+|[\s,"'`]+)+|[^\\\s,"'`]+/g;
const SEPARATES = /[\s,]|\\[nrt]/;

/** A text without its quotes, and where each of its characters is in the whole text. */
interface Bare {
	readonly text: string;
	readonly places: readonly number[];
}

/** Whether one of these texts names a command line, whatever quotes and escapes surround it or are in it. */
export function namesCommand(texts: readonly string[], line: string): boolean {
	const command = bare(line).text.trim();
	return command === "" || texts.some((text) => isNamed(text, bare(text), command));
}

function isNamed(whole: string, { text, places }: Bare, command: string): boolean {
	for (let at = text.indexOf(command); at !== -1; at = text.indexOf(command, at + 1)) {
		const [first = 0, last = 0] = [places[at], places[at + command.length - 1]];
		const begins = at === 0 || text.charAt(at - 1) === " " || BEFORE.test(whole.charAt(first - 1));
		if (begins && AFTER.test(whole.slice(last + 1))) return true;
	}
	return false;
}

function bare(whole: string): Bare {
	const places: number[] = [];
	let text = "";
	for (const { 0: piece, index } of whole.matchAll(BETWEEN)) {
		const isBetween = /^[\\\s,"'`]/.test(piece);
		const kept = !isBetween ? piece : SEPARATES.test(piece) ? " " : "";
		for (let n = 0; n < kept.length; n++) places.push(index + n);
		text += kept;
	}
	return { text, places };
}
