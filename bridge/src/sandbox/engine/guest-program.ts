import type { Position } from "../../ports/programs/program-checker.ts";

/** The program's file name in the engine's stack traces. */
export const PROGRAM_FILE = "program.js";
/**
 * The program becomes the body of a function in a module, on its own lines. As in the checker, the code is strict, and
 * `<!--` does not start a comment.
 */
const HEAD = "export default async function () {\n";
const HEAD_LINES = 1;
const TAIL = "\n}";

export function wrapProgram(source: string): string {
	return `${HEAD}${source}${TAIL}`;
}

/** The position of the innermost stack frame in the program. The program can forge it, so it is used only for display. */
export function positionIn(stack: string, source: string): Position | undefined {
	const lines = source.split("\n").length;
	for (const [, lineText, columnText] of stack.matchAll(/program\.js:(\d{1,9}):(\d{1,9})/g)) {
		const line = Number(lineText) - HEAD_LINES;
		const column = Number(columnText);
		if (line >= 1 && line <= lines && column >= 1) return { line, column };
	}
	return undefined;
}
