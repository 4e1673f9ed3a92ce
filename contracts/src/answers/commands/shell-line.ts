/** `bash -lc '...'`: the line within. */
const WRAPPED = /^\s*(?:\S*\/)?(?:ba|da|z)?sh\s+-l?i?c\s+(?:(['"])(.*)\1\s*|(.*))$/su;
/** Everything that ends a command in a shell's list, except in `2>&1` and `&>`. */
const OPERATOR = /(&&|\|\||\|&?|;|\n|(?<![>&])&(?![>&]))/u;
/** What precedes a quoted word that is itself a command line. */
const RUNS_WORD = / -[a-z]{0,4}c $/u;
/** A command that ends a list with a failure, or with the status of the previous command. */
const FAILS = /^(?:exit|return)\s+(?:[1-9]|"?\$\?"?)|^false$/u;
const ENDS = /^(?:exit|return)\b|^exec\s+[^<>\d&]/u;
const SUCCEEDS = /^(?:true|:)(?:\s|$)/u;

/**
 * Marks where a here-document begins. Commands do not otherwise contain this character, because hidden characters in them are written as
 * text.
 */
export const BEFORE_DOCUMENT = "\v";

/** A line's commands, and the operators between them. `operators[0]` follows the first command. */
export interface ShellLine {
	readonly commands: readonly string[];
	readonly operators: readonly string[];
}

/** The commands of a shell's line, without comments and without the shell around it. Pure. */
export function shellLine(line: string): ShellLine {
	const [, , quoted, bare] = WRAPPED.exec(line) ?? [];
	const parts = plainList(withoutDocuments((quoted ?? bare ?? line).replace(/\\\r?\n/gu, " ")))
		.split(OPERATOR)
		.map((part) => part.trim() || (part.includes("\n") ? ";" : ""));
	return {
		commands: parts.filter((_, index) => index % 2 === 0),
		operators: parts.filter((_, index) => index % 2 === 1),
	};
}

/** Whether a command fails its list, or ends the list with the status of the previous command. */
export function failsList(command: string): boolean {
	return FAILS.test(command);
}

/**
 * Whether the command at a position may not have run, although the line succeeded: the list may have ended earlier, or the previous command
 * always has the status that skips this one.
 */
export function mayBeSkipped({ commands, operators }: ShellLine, at: number): boolean {
	// In `cd app || exit 1`, `exit` runs only if `cd` fails, and the line then fails too. This line succeeded, so `exit` did not run.
	const isFailure = (command: string, index: number) => operators[index - 1] === "||" && (command === "exit" || FAILS.test(command));
	const hasEnded = commands.slice(0, at).some((command, index) => ENDS.test(command) && !isFailure(command, index));
	const before = commands[at - 1] ?? "";
	const operator = operators[at - 1];
	return hasEnded || (operator === "||" && SUCCEEDS.test(before)) || (operator === "&&" && before === "false");
}

/**
 * `cat <<EOF`: the lines that follow, up to the word, are not commands. Not matched in quotation marks, in a comment or in `$((1 << n))`.
 */
const DOCUMENT = /^(?:[^"'<(#\\]|\\.|"[^"]*"|'[^']*'|<(?!<)|\((?!\())*<<-?[ \t]*\\?(["']?)([A-Za-z_][\w.-]*)\1/u;
/** Programs that run the lines of a here-document as commands. */
const SHELLS = /^\s*(?:\S*\/)?(?:ba|da|z)?sh\s/u;

/** A list in which each document is a part of the command that reads it, after `BEFORE_DOCUMENT`, unless the command is a shell. */
function withoutDocuments(list: string): string {
	if (!list.includes("<<")) return list;
	const lines = list.split("\n");
	const kept: string[] = [];
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at] ?? "";
		const word = DOCUMENT.exec(line)?.[2];
		const end = word === undefined ? -1 : lines.findIndex((other, index) => index > at && other.trim() === word);
		if (end === -1) {
			kept.push(line);
			continue;
		}
		const document = lines.slice(at + 1, end);
		if (SHELLS.test(line)) kept.push(line, ...document);
		else kept.push(line + BEFORE_DOCUMENT + document.join(" ").replace(/[&|;'"#]/gu, " "));
		at = end;
	}
	return kept.join("\n");
}

/** A list without its comments, and with two spaces for each operator in its quoted words, except in those that are command lines. */
function plainList(list: string): string {
	let quote = "";
	let isLine = false;
	let isComment = false;
	let before = "";
	for (const character of list) {
		if (isComment) {
			if (character !== "\n" && !(isLine && character === quote)) continue;
			isComment = false;
		}
		if ((quote === "" || isLine) && character === "#" && /^[\s;&|()'"]?$/u.test(before.slice(-1))) {
			isComment = true;
			continue;
		}
		if (quote === "" && (character === "'" || character === '"')) {
			quote = character;
			isLine = RUNS_WORD.test(before.slice(-8));
		} else if (character === quote) {
			quote = "";
			isLine = false;
		}
		before += quote !== "" && !isLine && "&|;\n".includes(character) ? "  " : character;
	}
	return before;
}
