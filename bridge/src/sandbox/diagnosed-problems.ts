import { type Diagnostic, DiagnosticCategory } from "typescript/unstable/async";
import type { Diagnosis } from "./compiler.ts";
import type { Position, ProgramProblem } from "./program-checker.ts";

const OPENING = "async function program() {\n";
const CLOSING = "\n}\n";
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;
const MAX_PROBLEMS = 20;
const MAX_MESSAGE = 1000;

/** The program as the body of a function, which makes top-level await and return what they are here. */
export function wrapped(source: string): string {
	return `${OPENING}${source}${CLOSING}`;
}

/** The compiler's errors in words for the person, in their own lines and columns; at most 20. */
export function diagnosedProblems(source: string, diagnosis: Diagnosis): ProgramProblem[] {
	const syntactic = diagnosis.syntactic.length > 0;
	const found = [...diagnosis.syntactic, ...diagnosis.semantic]
		.filter((diagnostic) => diagnostic.category === DiagnosticCategory.Error)
		.slice(0, MAX_PROBLEMS)
		.map((diagnostic) => ({ position: positionOf(source, diagnostic), message: wordsOf(diagnostic), syntactic }));
	// Braces that close the function around the program and open another: balanced, and still no body.
	if (found.length === 0 && diagnosis.tree.statements.length !== 1) {
		return [{ message: "A '}' closes what the program did not open.", syntactic: true }];
	}
	return found;
}

function positionOf(source: string, diagnostic: Diagnostic): Position {
	const offset = Math.min(Math.max(diagnostic.pos - OPENING.length, 0), source.length);
	let line = 1;
	let lineStart = 0;
	for (const end of source.slice(0, offset).matchAll(LINE_END)) {
		line += 1;
		lineStart = end.index + end[0].length;
	}
	return { line, column: offset - lineStart + 1 };
}

function wordsOf(diagnostic: Diagnostic): string {
	const texts = [diagnostic.text];
	let next = diagnostic.messageChain?.[0];
	for (let depth = 0; next !== undefined && depth < 3; depth += 1) {
		texts.push(next.text);
		next = next.messageChain?.[0];
	}
	const words = texts.join(" ").replace(/ Do you need to (?:install type definitions|change your target library).*$/s, "");
	return words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
}
