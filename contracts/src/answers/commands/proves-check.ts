import { failsList, mayBeSkipped, shellLine } from "./shell-line.ts";

const CLOSES = /^[)}]?$/u;

/**
 * Whether a line that succeeded proves that a command in it succeeded, because the line fails if that command fails. `npm test || true`,
 * `npm test; true` and `npm test | tail` prove nothing about `npm test`, because their status is another command's; `exit 0; npm test`
 * never runs it. `isCheck`: whether a command is the one to be proved. Pure.
 */
export function provesCheck(line: string, isCheck: (command: string) => boolean): boolean {
	const list = shellLine(line);
	const { commands, operators } = list;
	return commands.some((command, index) => {
		const stops = commands.slice(0, index).filter((earlier) => earlier.startsWith("set "));
		const shell = {
			stopsAtFailure: stops.some((set) => /\s-\w*e/u.test(set)),
			failsWithPipe: stops.some((set) => set.includes("pipefail")),
		};
		// After `||`, the command may not have run, and `!` inverts its status.
		if (!isCheck(command) || command.startsWith("!") || operators[index - 1] === "||" || mayBeSkipped(list, index)) return false;
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
			// A pipe after `&&` belongs to another command.
			if (isInPipe && !failsWithPipe) return false;
			continue;
		}
		isInPipe = false;
		if (operator === "&&") continue;
		if (operator === "||") return failsList(next);
		if (!CLOSES.test(next) && !stopsAtFailure) return failsList(next);
	}
	return true;
}
