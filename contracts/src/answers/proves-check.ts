/** Everything that ends a command in a shell's list, except in `2>&1` and `&>`. */
const OPERATOR = /(&&|\|\||\|&?|;|\n|(?<![>&])&(?![>&]))/u;
/** Before a quoted word that is a command line itself. */
const RUNS_WORD = / -[a-z]{0,4}c $/u;
/** `bash -lc '...'`: the line within. */
const WRAPPED = /^\s*(?:\S*\/)?(?:ba|da|z)?sh\s+-l?i?c\s+(?:(['"])(.*)\1\s*|(.*))$/su;
/** Ends a list with a failure, or with the status of the command before. */
const EXITS = /^(?:exit|return)\s+(?:[1-9]|"?\$\?"?)|^false$/u;
const CLOSES = /^[)}]?$/u;

/**
 * Whether a line that ended with success proves that a command in it did: the line fails if that command fails. It doesn't in
 * `npm test || true`, `npm test; true` or `npm test | tail`, whose status is that of another command. `isCheck`: whether a command is the one
 * to be proved. Pure.
 */
export function provesCheck(line: string, isCheck: (command: string) => boolean): boolean {
	const [, , quoted, bare] = WRAPPED.exec(line) ?? [];
	const list = quoted ?? bare ?? line;
	const parts = withoutQuoted(list)
		.split(OPERATOR)
		.map((part) => part.trim() || (part.includes("\n") ? ";" : ""));
	const commands = parts.filter((_, index) => index % 2 === 0);
	const operators = parts.filter((_, index) => index % 2 === 1);
	return commands.some((command, index) => {
		const stops = commands.slice(0, index).filter((earlier) => earlier.startsWith("set "));
		const shell = {
			stopsAtFailure: stops.some((set) => /\s-\w*e/u.test(set)),
			failsWithPipe: stops.some((set) => set.includes("pipefail")),
		};
		// After `||`, the command may not have run, and `!` turns its status around.
		if (!isCheck(command) || command.startsWith("!") || operators[index - 1] === "||") return false;
		return isKept(commands.slice(index + 1), operators.slice(index), shell);
	});
}

/** Whether a command's failure makes the line fail, given what follows the command. */
function isKept(
	commands: readonly string[],
	operators: readonly string[],
	{ stopsAtFailure, failsWithPipe }: { readonly stopsAtFailure: boolean; readonly failsWithPipe: boolean },
): boolean {
	let isInPipe = true;
	for (const [index, operator] of operators.entries()) {
		const next = commands[index] ?? "";
		if (operator === "&") return false;
		if (operator === "|" || operator === "|&") {
			// A pipe after `&&` is of another command.
			if (isInPipe && !failsWithPipe) return false;
			continue;
		}
		isInPipe = false;
		if (operator === "&&") continue;
		if (operator === "||") return EXITS.test(next);
		if (!CLOSES.test(next) && !stopsAtFailure) return EXITS.test(next);
	}
	return true;
}

/** A list without the operators in its quoted words, except in those that are command lines. */
function withoutQuoted(list: string): string {
	let quote = "";
	let isLine = false;
	let before = "";
	for (const character of list) {
		if (quote === "" && (character === "'" || character === '"')) {
			quote = character;
			isLine = RUNS_WORD.test(before.slice(-8));
		} else if (character === quote) quote = "";
		before += quote !== "" && !isLine && "&|;\n".includes(character) ? " " : character;
	}
	return before;
}
