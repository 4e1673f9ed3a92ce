import type { Position } from "../../ports/programs/program-checker.ts";

/** `line 3, column 7: ...`, relative to the program; mentions the code block if the program is in one. */
export function positioned(position: Position | undefined, message: string, program: { readonly fenced: boolean }): string {
	if (position === undefined) return message;
	return `line ${position.line}, column ${position.column}${program.fenced ? " of the code block" : ""}: ${message}`;
}
