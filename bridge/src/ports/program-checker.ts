/** What the user wrote: TypeScript, or JavaScript when its code block says so. */
export type ProgramLanguage = "typescript" | "javascript";

/** A program, and what it may call. */
export interface UncheckedProgram {
	/** A function body: top-level await and return are allowed, import and export are not. */
	readonly source: string;
	readonly language: ProgramLanguage;
	/** Text of the `.d.ts` that says what the program may call. Another text with another check is another set of tools. */
	readonly declarations: string;
}

/** 1-based, in the user's program. Columns count UTF-16 units, as editors do. */
export interface Position {
	readonly line: number;
	readonly column: number;
}

export interface ProgramProblem {
	readonly position?: Position;
	readonly message: string;
	/** True when the text is not a program at all, rather than a wrong one. */
	readonly syntactic: boolean;
}

declare const checked: unique symbol;

/** JavaScript function body with the line breaks and columns of the program it came from. Made by a ProgramChecker alone. */
export type CheckedProgram = { readonly source: string } & { readonly [checked]: true };

export type CheckResult =
	| { readonly kind: "checked"; readonly program: CheckedProgram }
	| { readonly kind: "invalid"; readonly problems: readonly [ProgramProblem, ...ProgramProblem[]] }
	/** The compiler did not finish within `valueMs`. */
	| { readonly kind: "too_slow"; readonly valueMs: number }
	/** The compiler needed more memory than `valueBytes`. */
	| { readonly kind: "too_large"; readonly valueBytes: number };

/** Checks a program against the declarations of what it may call, before anything of it runs. */
export interface ProgramChecker {
	/**
	 * @throws CheckerUnavailableError when the compiler cannot be started or died, or the declarations are wrong;
	 * nothing was checked then.
	 */
	check(program: UncheckedProgram, signal: AbortSignal): Promise<CheckResult>;
	/** Ends the compiler. A later check starts it again. */
	close(): Promise<void>;
}

export class CheckerUnavailableError extends Error {
	override readonly name = "CheckerUnavailableError";
	readonly code = "CHECKER_UNAVAILABLE";
}
