/** The language of the user's program: TypeScript, or JavaScript if its code block says so. */
export type ProgramLanguage = "typescript" | "javascript";

/** A program, and the declarations of what it may call. */
export interface UncheckedProgram {
	/** A function body: top-level await and return are allowed, import and export are not. */
	readonly source: string;
	readonly language: ProgramLanguage;
	/** The text of the `.d.ts` that declares what the program may call. A different text means a different set of tools. */
	readonly declarations: string;
}

/** A position in the user's program, 1-based. Columns count UTF-16 units, as editors do. */
export interface Position {
	readonly line: number;
	readonly column: number;
}

export interface ProgramProblem {
	readonly position?: Position;
	readonly message: string;
	/** True if the text does not parse as a program; false for a type error. */
	readonly syntactic: boolean;
}

declare const checked: unique symbol;

/**
 * The body of a JavaScript function with the same line breaks and columns as the original program. Only a ProgramChecker creates such a
 * program; `ProgramHistory` reads one back from the log.
 */
export type CheckedProgram = { readonly source: string } & { readonly [checked]: true };

export type CheckResult =
	| { readonly kind: "checked"; readonly program: CheckedProgram }
	| { readonly kind: "invalid"; readonly problems: readonly [ProgramProblem, ...ProgramProblem[]] }
	/** The compiler did not finish within `valueMs`. */
	| { readonly kind: "too_slow"; readonly valueMs: number }
	/** The compiler needed more memory than `valueBytes`. */
	| { readonly kind: "too_large"; readonly valueBytes: number };

/** Checks a program against the declarations of what it may call, before any of it runs. */
export interface ProgramChecker {
	/**
	 * Checks a program.
	 * @throws CheckerUnavailableError if the compiler cannot be started or crashed, or if the declarations are wrong; the program was then
	 * not checked
	 */
	check(program: UncheckedProgram, signal: AbortSignal): Promise<CheckResult>;
	/** Stops the compiler. A later check starts it again. */
	close(): Promise<void>;
}

export class CheckerUnavailableError extends Error {
	override readonly name = "CheckerUnavailableError";
	readonly code = "CHECKER_UNAVAILABLE";
}
