/** A shell around a command line: "bash -lc '…'". */
const SHELL = /^\s*(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh\s+-l?c\s+(?:'((?:[^']|'\\'')*)'|"([^"\\$`!]*)"|([\w-]+))\s*$/u;

/**
 * The next piece of a command line: characters that are literal or form a pattern of file names, a text in quotes, a space, or the end of
 * a command. The last alternative is anything else, such as a substitution, a redirection or an escape. It also covers what shells disagree
 * about: a backslash before the end of a quote, and operators in single quotes, which cmd.exe does not treat as quotes.
 */
const PIECE = /([\p{L}\p{N}_.,/:@%+=~*?^[\]-]+)|'([^'&<>|]*)(?<!\\)'|"((?:[^"\\$`!]|\\[^\n"])*)"|([ \t]+)|(&&|\|\||[;|\n])|./gsu;
const PATTERN = /[*?^[]/u;

/** Programs that only print, whatever they are given. */
const PRINTS =
	/^(?:ls|cat|head|tail|nl|wc|stat|du|df|pwd|whoami|which|basename|dirname|realpath|readlink|cut|tr|jq|grep|egrep|fgrep|echo|true|cd)$/u;
/** Programs that only print if they are given no other options than these. Git and ripgrep have too many harmless ones to list. */
const MAY_PRINT: ReadonlyMap<string, RegExp> = new Map([
	["rg", /^(?!--(?:pre(?!tty)|hostname))/u],
	["git", /^(?!--(?:ou|op|ext|textc)|-(?!-).*O)/u],
	[
		"find",
		/^-(?:[HLP]|\d+\w?|i?(?:name|path|regex)|type|m(?:ax|in)depth|not|or?|a(?:nd)?|print[0f]?|ls|prune|quit|empty|size|[amc](?:time|min)|newer|perm|user|group|xdev|follow)$/u,
	],
	["tree", /^-(?:[aCdDfFghiIlLnNpPqQrsStuUvx\d]*|-(?:dirsfirst|noreport|gitignore|prune|du|si))$/u],
	["sort", /^-(?:[bdfghiMnRrVcCmsuz]*(?:[kt].*)?|-(?:reverse|unique|(?:numeric|human-numeric|version)-sort|stable|ignore-case))$/u],
]);
const GIT_PRINTS = /^(?:status|log|show|diff|blame|ls-files|rev-parse|grep)$/u;
/** What sed prints of a file: lines by their numbers. */
const LINES = /^[\d,$]+p$/u;

interface Command {
	/** The words without their quotes. */
	readonly words: readonly string[];
	/** True if a pattern of file names may become an option, because files may have any names. */
	readonly isOpen: boolean;
}

/**
 * True only for a command line whose every command is known to print and do nothing else. Any line that cannot be parsed completely is
 * assumed to do more. What the programs' configuration makes them do is not known here.
 */
export function onlyReads(line: string): boolean {
	const [, single, double, bare] = SHELL.exec(line) ?? [];
	return commandsIn(single?.replaceAll("'\\''", "'") ?? double ?? bare ?? line)?.every(isRead) ?? false;
}

function isRead({ words, isOpen }: Command): boolean {
	const [program = "", ...given] = words;
	if (words.length === 0 || PRINTS.test(program)) return true;
	const options = given.filter((word) => word.startsWith("-"));
	if (isOpen) return false;
	// With arguments, printf may set variables, or evaluate an argument as arithmetic, which can run commands.
	if (program === "printf") return given.length === 1 && options.length === 0;
	if (program === "sed") return given[0] === "-n" && LINES.test(given[1] ?? "") && options.length === 1;
	if (program === "git" && !GIT_PRINTS.test(given[0] ?? "")) return false;
	const allowed = MAY_PRINT.get(program);
	return allowed !== undefined && options.every((option) => allowed.test(option));
}

/** The commands of a line; undefined if it contains anything whose effect is not known. */
function commandsIn(line: string): readonly Command[] | undefined {
	const commands: Command[] = [];
	let words: string[] = [];
	let word: string | undefined;
	let hasPattern = false;
	let isOpen = false;
	const endWord = () => {
		if (word !== undefined) words.push(word);
		if (hasPattern && word !== undefined && (word.startsWith("-") || PATTERN.test(word[0] ?? ""))) isOpen = true;
		word = undefined;
		hasPattern = false;
	};
	const endCommand = () => {
		endWord();
		commands.push({ words, isOpen });
		words = [];
		isOpen = false;
	};
	for (const [, bare, single, double, space, end] of line.matchAll(PIECE)) {
		const piece = bare ?? single ?? double?.replace(/\\([\\$`])/gu, "$1");
		if (piece !== undefined) word = `${word ?? ""}${piece}`;
		else if (space !== undefined) endWord();
		else if (end !== undefined) endCommand();
		else return undefined;
		if (bare !== undefined && PATTERN.test(bare)) hasPattern = true;
	}
	endCommand();
	return commands;
}
