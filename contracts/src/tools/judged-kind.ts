import { reportedCommand } from "./reported-command.ts";
import type { Preview, ToolKind } from "./tool-call.ts";

/** Kinds that claim to change nothing here. */
const looking: ReadonlySet<ToolKind> = new Set(["read", "search", "think", "fetch", "switch_mode"]);

/** A shell around a command line: "bash -lc '". */
const SHELL = /^\s*(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh\s+-l?c\s+(['"]?)(.*)\1\s*$/su;
/** Anything that can write to a file, run a command inside another one, or run one in the background. */
const MORE = /[>`]|\$\(|<\(|\\\n|(?<!&)&(?!&)/u;
/** Programs that only print, whatever they are given. */
const PRINTS =
	/^(?:ls|cat|head|tail|nl|wc|stat|du|df|pwd|whoami|which|basename|dirname|realpath|readlink|cut|tr|jq|grep|egrep|fgrep|echo|printf|true|cd)(?=\s|$)/u;
/** Programs that only print unless they are given one of the options after them. */
const MAY_PRINT: readonly (readonly [RegExp, RegExp])[] = [
	[/^rg(?=\s|$)/u, /--pre|--hostname-bin/u],
	[/^find(?=\s|$)/u, /-(?:delete|exec|ok|f(?:print|ls))/u],
	[/^tree(?=\s|$)/u, /\s-\w*o|--o/u],
	[/^sort(?=\s|$)/u, /\s-\w*o|--[oc]/u],
	[/^git\s+(?:status|log|show|diff|blame|ls-files|rev-parse|grep)(?=\s|$)/u, /--o[up]|--ext|--textc|\s-\w*O/u],
];
/** Prints lines of a file by their numbers. */
const LINES = /^sed\s+-n\s+(['"]?)[\d,$]+p\1(?=\s|$)(?!.*\s-)/u;

/**
 * The kind of a reported call, judged by the command in its input: an agent may call a command a read. The command of a call that is said
 * to change nothing is `execute`, unless it certainly only reads. Pure; depends on types only.
 */
export function judgedKind(toolKind: ToolKind, input: Preview | undefined): ToolKind {
	if (input === undefined || !looking.has(toolKind)) return toolKind;
	const command = reportedCommand("", input);
	if (command === undefined) return toolKind;
	return !input.truncated && onlyReads(command) ? toolKind : "execute";
}

/** True only for a command line whose every command is known to print and do nothing else. */
function onlyReads(line: string): boolean {
	const inner = SHELL.exec(line)?.[2] ?? line;
	if (MORE.test(inner)) return false;
	return inner.split(/&&|\|\||[;|\n]/u).every((command) => isRead(command.trim()));
}

function isRead(command: string): boolean {
	if (command === "") return true;
	return (
		PRINTS.test(command) || LINES.test(command) || MAY_PRINT.some(([program, unless]) => program.test(command) && !unless.test(command))
	);
}
