import type { ProgramLanguage } from "../../ports/program-checker.ts";

/** Texts: the command that runs the compiler. The first message. */
export interface OpenMessage {
	readonly kind: "open";
}

/** Texts: the program, and the declarations unless they are those of the check before. */
export interface CheckMessage {
	readonly kind: "check";
	readonly language: ProgramLanguage;
}

/** What the compiler's process tells: ready, then one answer a question. */
export type CompilerReport =
	| { readonly kind: "ready" }
	/** Texts: the program without its types. */
	| { readonly kind: "checked" }
	/** Texts: its problems, as JSON. */
	| { readonly kind: "invalid" }
	/** Texts: what is wrong with the declarations. */
	| { readonly kind: "undeclared" }
	/** Texts: why. The process ends then. */
	| { readonly kind: "failed" };

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
