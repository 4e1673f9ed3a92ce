import type { ProgramLanguage } from "../../sandbox/program-checker.ts";

export interface ScriptProgram {
	readonly source: string;
	readonly language: ProgramLanguage;
	/** True when it stood in a code block; else it is the whole prompt. */
	readonly fenced: boolean;
}

export type ParsedPrompt = { readonly ok: true; readonly program: ScriptProgram } | { readonly ok: false; readonly message: string };

/** Told to a person whose prompt is no program. */
export const SCRIPT_EXPECTS =
	"Script runs a TypeScript program: either the whole prompt, or the one ```ts code block in it. For a prompt in plain words, choose an agent.";

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

/** Finds the program in a prompt. Nothing is guessed: one block is the program, no block makes the prompt the program. */
export function parsePrompt(prompt: string): ParsedPrompt {
	const found = codeBlocks(prompt);
	if (!found.ok) return found;
	const [block, ...others] = found.blocks;
	if (block === undefined) return programOf({ source: prompt, language: "typescript", fenced: false });
	if (others.length > 0) {
		return {
			ok: false,
			message: `The prompt holds ${others.length + 1} code blocks; Script runs exactly one. Put the whole program into it.`,
		};
	}
	const language = LANGUAGES.get(block.language);
	if (language === undefined) {
		return { ok: false, message: `The code block in line ${block.line} is marked "${block.language.slice(0, 40)}"; Script runs ts or js.` };
	}
	return programOf({ source: block.source, language, fenced: true });
}

function programOf(program: ScriptProgram): ParsedPrompt {
	if (program.source.trim() === "") return { ok: false, message: `There is no program. ${SCRIPT_EXPECTS}` };
	return { ok: true, program };
}

/** The blocks between lines of three or more back-quotes, as CommonMark fences them. */
function codeBlocks(prompt: string): { ok: true; blocks: readonly Block[] } | { ok: false; message: string } {
	const blocks: Block[] = [];
	let open: { line: number; ticks: number; language: string; from: number } | undefined;
	let number = 0;
	for (const match of prompt.matchAll(/[^\n]*(?:\n|$)/g)) {
		number += 1;
		const fence = /^[ \t]*(`{3,})[ \t]*([^`\r\n]*?)[ \t]*\r?\n?$/.exec(match[0]);
		if (fence === null) continue;
		const [, ticks = "", info = ""] = fence;
		if (open === undefined) {
			const language = info.split(/\s/)[0]?.toLowerCase() ?? "";
			open = { line: number, ticks: ticks.length, language, from: match.index + match[0].length };
		} else if (info === "" && ticks.length >= open.ticks) {
			blocks.push({ line: open.line, language: open.language, source: prompt.slice(open.from, match.index) });
			open = undefined;
		}
	}
	if (open !== undefined) return { ok: false, message: `The code block that begins in line ${open.line} is not closed.` };
	return { ok: true, blocks };
}
