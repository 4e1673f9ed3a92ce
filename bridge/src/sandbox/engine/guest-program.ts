import type { Position } from "../../ports/program-checker.ts";

/** What the engine calls the program in its stack traces. */
export const PROGRAM_FILE = "program.js";
/**
 * The program is the body of a function of a module, in lines of its own. As a module it is strict, and `<!--`
 * begins no comment there, as it begins none to the checker.
 */
const HEAD = "export default async function () {\n";
const HEAD_LINES = 1;
const TAIL = "\n}";

export function wrapProgram(source: string): string {
	return `${HEAD}${source}${TAIL}`;
}

/** The innermost frame that is in the program. The program may forge it: it is shown, never acted on. */
export function positionIn(stack: string, source: string): Position | undefined {
	const lines = source.split("\n").length;
	for (const [, lineText, columnText] of stack.matchAll(/program\.js:(\d{1,9}):(\d{1,9})/g)) {
		const line = Number(lineText) - HEAD_LINES;
		const column = Number(columnText);
		if (line >= 1 && line <= lines && column >= 1) return { line, column };
	}
	return undefined;
}
