import type { ProgramProblem } from "../../ports/programs/program-checker.ts";
import { positioned } from "../../tools/built-in/positioned.ts";
import { SCRIPT_EXPECTS, type ScriptProgram } from "./script-program.ts";

const MAX_SHOWN = 5;

/** Why a program was not run: a sentence, then lines with the details. For a prompt in plain words, it explains what Script expects. */
export function failureMessage(problems: readonly ProgramProblem[], program: ScriptProgram): string {
	const lines = problems.slice(0, MAX_SHOWN).map((problem) => positioned(problem.position, problem.message, program));
	if (problems.length > MAX_SHOWN) lines.push(`and ${problems.length - MAX_SHOWN} more`);
	if (isProse(problems, program)) return [SCRIPT_EXPECTS, ...lines].join("\n");
	const [first = "", ...rest] = lines;
	return [`The program has an error: ${first}`, ...rest].join("\n");
}

/** Lines that occur in programs but not in plain prose. */
const CODE_LINE =
	/^[ \t]*(?:(?:const|let|var)\b.*[=:;]|(?:return|throw|await)\b.*[\d'"`;(){}[\]]|function\b[ \t]*\w*[ \t]*\(|(?:for|if|while|switch)[ \t]*\(|(?:type|interface|enum|class|import|export)[ \t]+[\w{*]+[ \t]*(?:[={<]|from\b|extends\b)|\/[/*]|[{}])|[;{}][ \t]*$|=>|===|\b(?:tools|console)\.\w+/m;

/** True for a prompt without a code block and without a line that looks like code, if it has syntax errors or none of `;(={`. */
function isProse(problems: readonly ProgramProblem[], { fenced, source }: ScriptProgram): boolean {
	if (fenced) return false;
	const isProgramElse = problems.every(({ syntactic }) => !syntactic) && /[;(={]/.test(source);
	return !isProgramElse && !CODE_LINE.test(source);
}
