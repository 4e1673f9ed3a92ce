import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CheckerUnavailableError, type ProgramProblem, type UncheckedProgram } from "../../ports/programs/program-checker.ts";
import type { Frame } from "../../processes/frames/frame.ts";
import { type FrameListener, FrameProcess, type FrameProcessDeps, type ProcessEnd } from "../../processes/frames/frame-process.ts";
import type { Pooled } from "../../processes/frames/process-pool.ts";
import { TIMED_OUT, within } from "../within.ts";
import { boundedCompiler, type CompilerOptions } from "./compiler-launch.ts";
import type { CheckMessage, CompilerReport, OpenMessage } from "./compiler-messages.ts";

/** Matches how the compiler ends at its memory limit: with a message or, as often, with a segmentation fault. */
const OUT_OF_MEMORY = /out of memory|cannot allocate memory|SIGSEGV/i;
/** The heap of the process that drives the compiler. */
const HEAP_MIB = 256;

const Report = z.strictObject({
	kind: z.enum(["ready", "checked", "invalid", "undeclared", "failed"]),
}) satisfies z.ZodType<CompilerReport>;
const Problems = z.tuple(
	[z.custom<ProgramProblem>((value) => Problem.safeParse(value).success)],
	z.custom<ProgramProblem>((value) => Problem.safeParse(value).success),
);
const Problem = z.strictObject({
	position: z.strictObject({ line: z.int(), column: z.int() }).optional(),
	message: z.string(),
	syntactic: z.boolean(),
});

export type Verdict =
	| { readonly kind: "checked"; readonly source: string }
	| { readonly kind: "invalid"; readonly problems: readonly [ProgramProblem, ...ProgramProblem[]] }
	/** The compiler reached its memory limit. */
	| { readonly kind: "too_large" };

/** The compiler crashed, or communication with it failed. */
export class CompilerLostError extends Error {
	override readonly name = "CompilerLostError";
	readonly code = "COMPILER_LOST";
	readonly outOfMemory: boolean;

	constructor(message: string, outOfMemory: boolean) {
		super(message);
		this.outOfMemory = outOfMemory;
	}
}

/** One running compiler in its own process group, answering one question at a time. */
export class Compiler implements Pooled, FrameListener {
	readonly #process: FrameProcess;
	/** True once the compiler has checked a program. */
	proven = false;
	/** The declarations of the last check. The compiler keeps them: they are sent only when they change, because loading them takes time. */
	#declared: string | undefined;
	#waiting: PromiseWithResolvers<{ readonly report: CompilerReport; readonly text: string }> | undefined;

	private constructor(process: FrameProcess) {
		this.#process = process;
		process.listen(this);
	}

	/** @throws CheckerUnavailableError if the compiler is not ready within `startMs` */
	static async start(options: CompilerOptions, deps: FrameProcessDeps, startMs: number): Promise<Compiler> {
		const { command, environment } = boundedCompiler(options);
		const process = await FrameProcess.start(hostCommand(environment), deps);
		const compiler = new Compiler(process);
		try {
			const message: OpenMessage = { kind: "open" };
			const ready = await within(compiler.#ask(message, [command]), startMs);
			if (ready === TIMED_OUT) throw new CheckerUnavailableError(`the compiler was not ready within ${startMs} ms`);
			if (ready.report.kind !== "ready") throw new CheckerUnavailableError(ready.text);
			return compiler;
		} catch (cause) {
			await process.kill();
			if (cause instanceof CheckerUnavailableError) throw cause;
			throw new CheckerUnavailableError("the compiler did not start", { cause });
		}
	}

	get alive(): boolean {
		return this.#process.alive;
	}

	/**
	 * Checks a program. The compiler must not be used again after an error.
	 * @throws CompilerLostError if the compiler fails or crashes on the program, CheckerUnavailableError if it rejects the declarations
	 */
	async check({ source, language, declarations }: UncheckedProgram): Promise<Verdict> {
		const message: CheckMessage = { kind: "check", language };
		const { report, text } = await this.#ask(message, this.#declared === declarations ? [source] : [source, declarations]);
		this.#declared = declarations;
		switch (report.kind) {
			case "checked":
				this.proven = true;
				return { kind: "checked", source: text };
			case "invalid":
				this.proven = true;
				return { kind: "invalid", problems: Problems.parse(JSON.parse(text)) };
			case "undeclared":
				throw new CheckerUnavailableError(`the declarations of the program's tools are invalid: ${text}`);
			case "failed":
			case "ready":
				// The process is ending. Its exit gives the reason, so the exit is awaited.
				return this.#ask();
		}
	}

	heard(frame: Frame): undefined {
		const report = Report.safeParse(frame.head);
		if (!report.success) this.#waiting?.reject(new CompilerLostError("the compiler's process sent an invalid response", false));
		else this.#waiting?.resolve({ report: report.data, text: Buffer.from(frame.texts[0] ?? []).toString("utf8") });
	}

	gone({ errors }: ProcessEnd): void {
		this.#waiting?.reject(new CompilerLostError(`the compiler's process exited: ${errors}`, OUT_OF_MEMORY.test(errors)));
	}

	kill(): Promise<void> {
		return this.#process.kill();
	}

	#ask(message: OpenMessage | CheckMessage, texts: readonly string[]): Promise<{ report: CompilerReport; text: string }>;
	#ask(): Promise<never>;
	#ask(message?: OpenMessage | CheckMessage, texts: readonly string[] = []): Promise<{ report: CompilerReport; text: string }> {
		this.#waiting = Promise.withResolvers();
		if (message !== undefined) this.#process.send(message, texts);
		// If the process has already ended, `listen` reports its end again.
		this.#process.listen(this);
		return this.#waiting.promise;
	}
}

function hostCommand(environment: Readonly<Record<string, string>>) {
	return {
		command: process.execPath,
		args: [`--max-old-space-size=${HEAP_MIB}`, fileURLToPath(new URL("./compiler-host.ts", import.meta.url))],
		workingDirectory: tmpdir(),
		environment,
		label: "compiler",
	};
}
