import type { ProgramLanguage } from "../../ports/program-checker.ts";

/** What the process of a compiler is opened with. */
export interface OpenedCompiler {
	/** Text of the `.d.ts` that says what a program may call. */
	readonly declarations: string;
	/** Runs the compiler. */
	readonly command: string;
}

/** Texts: an `OpenedCompiler`, as JSON. The first message. */
export interface OpenMessage {
	readonly kind: "open";
}

/** Texts: the program. */
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
