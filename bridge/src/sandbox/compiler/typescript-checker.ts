import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import type { Logger } from "pino";
import {
	type CheckedProgram,
	CheckerUnavailableError,
	type CheckResult,
	type ProgramChecker,
	type UncheckedProgram,
} from "../../ports/programs/program-checker.ts";
import type { FrameProcessDeps } from "../../processes/frames/frame-process.ts";
import { ProcessPool } from "../../processes/frames/process-pool.ts";
import { TIMED_OUT, within } from "../within.ts";
import { Compiler, CompilerLostError, type Verdict } from "./compiler.ts";
import type { CompilerOptions } from "./compiler-launch.ts";

export interface TypeScriptCheckerOptions extends FrameProcessDeps, Omit<CompilerOptions, "memoryBytes"> {
	readonly log: Pick<Logger, "warn">;
	/** Memory limit of the compiler for one program, where the system can enforce one. Default 512 MiB. */
	readonly memoryBytes?: number;
	/** Time limit for starting a compiler. Default 20 s. */
	readonly startMs?: number;
	/** Time limit for one check. Default 10 s. */
	readonly checkMs?: number;
	/** How long the compiler that is kept ready may be unused before it is ended. Default 5 minutes. */
	readonly idleMs?: number;
}

/**
 * The maximum number of compilers. Each keeps a core busy, so dozens at once would not be ready in time. With at least 8, a few hostile
 * programs do not delay the others.
 */
const MOST_COMPILERS = Math.max(8, 2 * availableParallelism());

/** Checks programs with TypeScript compilers, one program per process at a time, and up to `MOST_COMPILERS` programs at once. */
export function createTypeScriptChecker(options: TypeScriptCheckerOptions): ProgramChecker {
	return new TypeScriptChecker(options);
}

class TypeScriptChecker implements ProgramChecker {
	readonly #options: TypeScriptCheckerOptions;
	readonly #checkMs: number;
	readonly #memoryBytes: number;
	readonly #turns = pLimit(MOST_COMPILERS);
	#pool: ProcessPool<Compiler> | undefined;

	constructor(options: TypeScriptCheckerOptions) {
		this.#options = options;
		this.#checkMs = options.checkMs ?? 10_000;
		this.#memoryBytes = options.memoryBytes ?? 512 * 2 ** 20;
	}

	async check(program: UncheckedProgram, signal: AbortSignal): Promise<CheckResult> {
		return await this.#turns(() => this.#check(program, signal));
	}

	async #check(program: UncheckedProgram, signal: AbortSignal): Promise<CheckResult> {
		signal.throwIfAborted();
		const compiler = await this.#compiler();
		try {
			return await this.#checked(compiler, program);
		} catch (error) {
			if (!(error instanceof CompilerLostError)) throw error;
			// A compiler kept from an earlier program may have died unnoticed, so the check is repeated once with a new one.
			if (!compiler.proven) throw new CheckerUnavailableError("the compiler crashed", { cause: error });
			this.#options.log.warn({ err: error }, "the compiler crashed and is being restarted");
			return await this.#again(program);
		}
	}

	async close(): Promise<void> {
		const pool = this.#pool;
		this.#pool = undefined;
		await pool?.close();
	}

	async #again(program: UncheckedProgram): Promise<CheckResult> {
		try {
			return await this.#checked(await this.#compiler(), program);
		} catch (cause) {
			throw cause instanceof CompilerLostError ? new CheckerUnavailableError("the compiler crashed", { cause }) : cause;
		}
	}

	/** @throws CompilerLostError if the compiler is lost for any reason but the memory limit, CheckerUnavailableError */
	async #checked(compiler: Compiler, program: UncheckedProgram): Promise<CheckResult> {
		const pool = this.#pool;
		let verdict: Verdict | typeof TIMED_OUT;
		try {
			verdict = await within(compiler.check(program), this.#checkMs);
		} catch (error) {
			pool?.end(compiler);
			if (!(error instanceof CompilerLostError) || !error.outOfMemory) throw error;
			verdict = { kind: "too_large" };
		}
		if (verdict === TIMED_OUT || verdict.kind === "too_large") {
			pool?.end(compiler);
			return verdict === TIMED_OUT ? { kind: "too_slow", valueMs: this.#checkMs } : { kind: "too_large", valueBytes: this.#memoryBytes };
		}
		pool?.giveBack(compiler);
		return verdict.kind === "invalid" ? verdict : { kind: "checked", program: { source: verdict.source } as CheckedProgram };
	}

	/** @throws CheckerUnavailableError */
	async #compiler(): Promise<Compiler> {
		const { startMs = 20_000, idleMs = 5 * 60_000, executable } = this.#options;
		const options = { memoryBytes: this.#memoryBytes, ...(executable === undefined ? {} : { executable }) };
		this.#pool ??= new ProcessPool({ start: () => Compiler.start(options, this.#options, startMs), idleMs });
		try {
			return await this.#pool.take();
		} catch (cause) {
			throw cause instanceof CheckerUnavailableError ? cause : new CheckerUnavailableError("the compiler did not start", { cause });
		}
	}
}
