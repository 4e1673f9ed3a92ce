import type { ProgramLanguage } from "./program-checker.ts";

export interface CompilerOptions {
	/** Text of the `.d.ts` that says what a program may call. */
	readonly declarations: string;
	/** The compiler's executable; default: the one that came with the `typescript` package. */
	readonly executable?: string;
}

export interface CompilerQuestion {
	readonly language: ProgramLanguage;
	readonly text: string;
}

export interface CompilerError {
	/** UTF-16 units from the start of the text. */
	readonly offset: number;
	readonly code: number;
	readonly text: string;
}

export interface Diagnosis {
	readonly syntactic: readonly CompilerError[];
	/** Empty when there are syntactic errors, or the text is not shallow. */
	readonly semantic: readonly CompilerError[];
	/** False: too deeply nested for the other parsers of the house. */
	readonly shallow: boolean;
	/** Statements at the top of the file. */
	readonly statements: number;
}

export type CompilerAnswer =
	| { readonly kind: "diagnosis"; readonly diagnosis: Diagnosis }
	| { readonly kind: "failed"; readonly message: string };

/** What the compiler's thread tells, in this order: spawned, ready, then one answer a question. */
export type CompilerReport = { readonly kind: "spawned"; readonly pid: number | undefined } | { readonly kind: "ready" } | CompilerAnswer;
