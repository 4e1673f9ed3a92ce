import type { Position, ProgramProblem } from "../../sandbox/program-checker.ts";
import { SCRIPT_EXPECTS, type ScriptProgram } from "./script-program.ts";

const MAX_SHOWN = 5;

/** `line 3, column 7: ...` in the lines of the program; when that is a code block, this is said. */
export function positioned(position: Position | undefined, message: string, program: Pick<ScriptProgram, "fenced">): string {
	if (position === undefined) return message;
	return `line ${position.line}, column ${position.column}${program.fenced ? " of the code block" : ""}: ${message}`;
}

/** Why a program was not run. A prompt that may have been meant as prose is told what Script expects. */
export function failureMessage(problems: readonly ProgramProblem[], program: ScriptProgram): string {
	const lines = problems.slice(0, MAX_SHOWN).map((problem) => positioned(problem.position, problem.message, program));
	if (problems.length > MAX_SHOWN) lines.push(`and ${problems.length - MAX_SHOWN} more`);
	const isCode = program.fenced || /[;(={]/.test(program.source);
	if (!isCode || (!program.fenced && problems.some((problem) => problem.syntactic))) lines.push(SCRIPT_EXPECTS);
	return lines.join("\n");
}
