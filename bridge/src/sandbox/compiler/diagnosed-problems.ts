import type { Position, ProgramProblem } from "../../ports/programs/program-checker.ts";
import type { CompilerError, Diagnosis } from "./compiler-messages.ts";

const OPENING = "async function program() {\n";
const CLOSING = "\n}\n";
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;
/**
 * "... implicitly has an 'any' type": a short user program may leave things untyped. Turning the option off would instead make `const list
 * = []` an array that accepts nothing.
 */
const IMPLICIT_ANY = { from: 7000, to: 7099 };
const MAX_PROBLEMS = 20;
const MAX_MESSAGE = 1000;

/** Wraps the program as the body of a function, which allows top-level await and return. */
export function wrapped(source: string): string {
	return `${OPENING}${source}${CLOSING}`;
}

/** The compiler's errors in the user's terms, with positions in the user's program; at most 20. */
export function diagnosedProblems(source: string, diagnosis: Diagnosis): ProgramProblem[] {
	const syntactic = diagnosis.syntactic.length > 0;
	const found = [...diagnosis.syntactic, ...diagnosis.semantic]
		.filter(({ code }) => code < IMPLICIT_ANY.from || code > IMPLICIT_ANY.to)
		.slice(0, MAX_PROBLEMS)
		.map((error) => ({ position: positionOf(source, error.offset), message: wordsOf(error), syntactic }));
	if (found.length === 0 && !diagnosis.shallow) return [{ message: "The program is nested too deeply.", syntactic: false }];
	// A '}' that closes the surrounding function and a later '{' are balanced, but then the program is not a function body.
	if (found.length === 0 && diagnosis.statements !== 1) {
		return [{ message: "A '}' has no matching '{'.", syntactic: true }];
	}
	return found;
}

function positionOf(source: string, wrappedOffset: number): Position {
	const offset = Math.min(Math.max(wrappedOffset - OPENING.length, 0), source.length);
	let line = 1;
	let lineStart = 0;
	for (const end of source.slice(0, offset).matchAll(LINE_END)) {
		line += 1;
		lineStart = end.index + end[0].length;
	}
	return { line, column: offset - lineStart + 1 };
}

function wordsOf(error: CompilerError): string {
	const words = error.text.replace(/ Do you need to (?:install type definitions|change your target library).*$/s, "");
	return words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
}
