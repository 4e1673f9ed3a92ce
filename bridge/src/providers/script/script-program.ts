import type { ProgramLanguage } from "../../ports/programs/program-checker.ts";

export interface ScriptProgram {
	readonly source: string;
	readonly language: ProgramLanguage;
	/** True if the program was in a code block. Otherwise it is the whole prompt. */
	readonly fenced: boolean;
}

export type ParsedPrompt = { readonly ok: true; readonly program: ScriptProgram } | { readonly ok: false; readonly message: string };

/** The message for a prompt in plain words. */
export const SCRIPT_EXPECTS = "Script can only run TypeScript. To write in plain words, choose an agent.";

const LANGUAGES: ReadonlyMap<string, ProgramLanguage> = new Map([
	["", "typescript"],
	["ts", "typescript"],
	["typescript", "typescript"],
	["js", "javascript"],
	["javascript", "javascript"],
]);

interface Block {
	readonly line: number;
	readonly language: string;
	readonly source: string;
}

/** Finds the program in a prompt without guessing: a single code block is the program; without one, the whole prompt is. */
export function parsePrompt(prompt: string): ParsedPrompt {
	const found = codeBlocks(prompt);
	if (!found.ok) return found;
	const { first, count } = found;
	if (first === undefined) return programOf({ source: prompt, language: "typescript", fenced: false });
	if (count > 1) {
		return {
			ok: false,
			message: `The prompt contains ${count} code blocks; Script runs exactly one. Put the whole program into one block.`,
		};
	}
	const language = LANGUAGES.get(first.language);
	if (language === undefined) {
		return {
			ok: false,
			message: `The code block on line ${first.line} is marked "${first.language.slice(0, 40)}"; Script runs only TypeScript (ts) and JavaScript (js).`,
		};
	}
	return programOf({ source: first.source, language, fenced: true });
}

function programOf(program: ScriptProgram): ParsedPrompt {
	if (program.source.trim() === "") return { ok: false, message: `There is no program. ${SCRIPT_EXPECTS}` };
	return { ok: true, program };
}

type Found =
	| { readonly ok: true; readonly first: Block | undefined; readonly count: number }
	| { readonly ok: false; readonly message: string };

const TICKS = "```";

/** The blocks between lines of three or more backticks, as CommonMark fences them. Examines only lines with backticks. */
function codeBlocks(prompt: string): Found {
	let first: Block | undefined;
	let count = 0;
	let open: { at: number; ticks: number; language: string; from: number } | undefined;
	for (let ticksAt = prompt.indexOf(TICKS); ticksAt >= 0; ) {
		const start = prompt.lastIndexOf("\n", ticksAt) + 1;
		const feed = prompt.indexOf("\n", ticksAt);
		const end = feed < 0 ? prompt.length : feed;
		const next = end + 1;
		const fence = readFence(prompt, start, end);
		if (fence !== undefined && open === undefined) {
			open = { at: start, ticks: fence.ticks, language: firstWord(fence.info), from: next };
		} else if (fence !== undefined && open !== undefined && fence.info === "" && fence.ticks >= open.ticks) {
			first ??= { line: lineOf(prompt, open.at), language: open.language, source: prompt.slice(open.from, start) };
			count++;
			open = undefined;
		}
		ticksAt = prompt.indexOf(TICKS, next);
	}
	if (open !== undefined) return { ok: false, message: `The code block that begins on line ${lineOf(prompt, open.at)} is not closed.` };
	return { ok: true, first, count };
}

/** The number of the line that contains a position, counted from 1. */
function lineOf(prompt: string, offset: number): number {
	let line = 1;
	for (let feed = prompt.indexOf("\n"); feed >= 0 && feed < offset; feed = prompt.indexOf("\n", feed + 1)) line++;
	return line;
}

/**
 * The fence on the line from `start` to `end`, if there is one. Examines each character a fixed number of times: a regular expression that
 * skips blanks on both sides of something that may itself be blank takes cubic time.
 */
function readFence(prompt: string, start: number, end: number): { readonly ticks: number; readonly info: string } | undefined {
	const from = skipBlanks(prompt, start, end);
	let to = from;
	while (to < end && prompt[to] === "`") to++;
	const ticks = to - from;
	if (ticks < TICKS.length) return undefined;
	let last = prompt[end - 1] === "\r" ? end - 1 : end;
	const infoFrom = skipBlanks(prompt, to, last);
	while (last > infoFrom && isBlank(prompt[last - 1])) last--;
	const info = prompt.slice(infoFrom, last);
	return info.includes("`") || info.includes("\r") ? undefined : { ticks, info };
}

function skipBlanks(text: string, from: number, end: number): number {
	let index = from;
	while (index < end && isBlank(text[index])) index++;
	return index;
}

function isBlank(character: string | undefined): boolean {
	return character === " " || character === "\t";
}

function firstWord(info: string): string {
	const end = info.search(/\s/);
	return (end < 0 ? info : info.slice(0, end)).toLowerCase();
}
