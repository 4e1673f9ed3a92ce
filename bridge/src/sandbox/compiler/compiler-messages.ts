import type { ProgramLanguage } from "../../ports/programs/program-checker.ts";

/** The first message. Texts: the command that runs the compiler. */
export interface OpenMessage {
	readonly kind: "open";
}

/** Texts: the program, and the declarations unless they are unchanged since the last check. */
export interface CheckMessage {
	readonly kind: "check";
	readonly language: ProgramLanguage;
}

/** Messages from the compiler's process: that it is ready, then one answer per question. */
export type CompilerReport =
	| { readonly kind: "ready" }
	/** Texts: the program with its types removed. */
	| { readonly kind: "checked" }
	/** Texts: its problems, as JSON. */
	| { readonly kind: "invalid" }
	/** Texts: what is wrong with the declarations. */
	| { readonly kind: "undeclared" }
	/** Texts: the reason. The process then ends. */
	| { readonly kind: "failed" };

export interface CompilerError {
	/** UTF-16 units from the start of the text. */
	readonly offset: number;
	readonly code: number;
	readonly text: string;
}

export interface Diagnosis {
	readonly syntactic: readonly CompilerError[];
	/** Empty if there are syntax errors, or if the text is nested too deeply. */
	readonly semantic: readonly CompilerError[];
	/** False: the program is nested too deeply for our other parsers. */
	readonly shallow: boolean;
	/** The number of statements at the top of the file. */
	readonly statements: number;
}
