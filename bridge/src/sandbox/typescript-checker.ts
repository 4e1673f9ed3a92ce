import type { Logger } from "pino";
import { Compiler } from "./compiler.ts";
import type { CompilerOptions, Diagnosis } from "./compiler-messages.ts";
import { diagnosedProblems, wrapped } from "./diagnosed-problems.ts";
import {
	type CheckedProgram,
	CheckerUnavailableError,
	type CheckResult,
	type ProgramChecker,
	type ProgramLanguage,
} from "./program-checker.ts";
import { stripTypes } from "./strip-types.ts";
import { TIMED_OUT, within } from "./within.ts";

export interface TypeScriptCheckerOptions extends CompilerOptions {
	readonly log: Pick<Logger, "warn">;
	/** Longest start of the compiler. Default 20 s. */
	readonly startMs?: number;
	/** Longest check. Default 10 s. */
	readonly checkMs?: number;
	/** The compiler is ended after this long without a check. Default 5 minutes. */
	readonly idleMs?: number;
}

/** Checks programs with one warm TypeScript compiler, one after another. */
export function createTypeScriptChecker(options: TypeScriptCheckerOptions): ProgramChecker {
	return new TypeScriptChecker(options);
}

class TypeScriptChecker implements ProgramChecker {
	readonly #options: TypeScriptCheckerOptions;
	#compiler: Compiler | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#idle: NodeJS.Timeout | undefined;

	constructor(options: TypeScriptCheckerOptions) {
		this.#options = options;
	}

	check(source: string, language: ProgramLanguage, signal: AbortSignal): Promise<CheckResult> {
		const result = this.#last.then(() => {
			signal.throwIfAborted();
			return this.#check(source, language);
		});
		this.#last = result.catch(() => undefined); // A failed check is its caller's; the next one does not care.
		return result;
	}

	async close(): Promise<void> {
		clearTimeout(this.#idle);
		this.#compiler?.kill();
		this.#compiler = undefined;
	}

	async #check(source: string, language: ProgramLanguage): Promise<CheckResult> {
		clearTimeout(this.#idle);
		const valueMs = this.#options.checkMs ?? 10_000;
		try {
			const diagnosis = await this.#diagnose(wrapped(source), language, valueMs);
			if (diagnosis !== TIMED_OUT) return judge(source, language, diagnosis);
			this.#options.log.warn({ valueMs }, "a program was too slow to check");
			await this.close();
			return { kind: "too_slow", valueMs };
		} finally {
			this.#idle = setTimeout(() => void this.close(), this.#options.idleMs ?? 5 * 60_000).unref();
		}
	}

	async #diagnose(text: string, language: ProgramLanguage, ms: number): Promise<Diagnosis | typeof TIMED_OUT> {
		const warm = this.#compiler?.alive === true;
		const compiler = await this.#started();
		try {
			return await within(compiler.diagnose(language, text), ms);
		} catch (error) {
			// A compiler that was started for an earlier program may have died unseen; a fresh one is asked once.
			if (!warm || !(error instanceof CheckerUnavailableError)) throw error;
			this.#options.log.warn({ err: error }, "the compiler died and is started again");
			return within((await this.#started()).diagnose(language, text), ms);
		}
	}

	async #started(): Promise<Compiler> {
		if (this.#compiler?.alive === true) return this.#compiler;
		const { declarations, executable, startMs = 20_000 } = this.#options;
		const compiler = await Compiler.start({ declarations, ...(executable === undefined ? {} : { executable }) }, startMs);
		this.#compiler = compiler;
		return compiler;
	}
}

function judge(source: string, language: ProgramLanguage, diagnosis: Diagnosis): CheckResult {
	const [first, ...others] = diagnosedProblems(source, diagnosis);
	if (first !== undefined) return { kind: "invalid", problems: [first, ...others] };
	const body = language === "typescript" ? stripTypes(source) : source;
	return { kind: "checked", program: { source: body } as CheckedProgram };
}
