import { Worker } from "node:worker_threads";
import type { CompilerOptions, CompilerReport, Diagnosis } from "./compiler-messages.ts";
import { CheckerUnavailableError, type ProgramLanguage } from "./program-checker.ts";
import { TIMED_OUT, within } from "./within.ts";

const REAP_MS = 2_000;

/** One warm compiler: a thread, and the process it talks to. Asked one question at a time. It ends with the bridge. */
export class Compiler {
	readonly #worker: Worker;
	#pid: number | undefined;
	#waiting: PromiseWithResolvers<CompilerReport> | undefined;
	#fault: CheckerUnavailableError | undefined;

	private constructor(options: CompilerOptions) {
		this.#worker = new Worker(new URL("./compiler-worker.ts", import.meta.url), { workerData: options, execArgv: [] });
		this.#worker.unref();
		this.#worker.on("message", (report: CompilerReport) => this.#heard(report));
		this.#worker.on("error", (cause) => this.#ended(new CheckerUnavailableError("the compiler failed", { cause })));
		this.#worker.on("exit", () => this.#ended(new CheckerUnavailableError("the compiler ended")));
	}

	/** @throws CheckerUnavailableError when it is not ready within `startMs`, or does not take the declarations. */
	static async start(options: CompilerOptions, startMs: number): Promise<Compiler> {
		const compiler = new Compiler(options);
		try {
			const ready = await within(compiler.#next(), startMs);
			if (ready === TIMED_OUT) throw new CheckerUnavailableError(`the compiler was not ready within ${startMs} ms`);
			return compiler;
		} catch (error) {
			compiler.kill();
			throw error;
		}
	}

	get alive(): boolean {
		return this.#fault === undefined;
	}

	/** @throws CheckerUnavailableError when the compiler fails or dies over it; it is not to be used any more then. */
	async diagnose(language: ProgramLanguage, text: string): Promise<Diagnosis> {
		const answer = this.#next();
		this.#worker.postMessage({ language, text });
		const report = await answer;
		if (report.kind === "diagnosis") return report.diagnosis;
		this.kill();
		throw new CheckerUnavailableError(report.kind === "failed" ? report.message : "the compiler spoke out of turn");
	}

	/**
	 * Ends process and thread, busy or not. The process first: the thread may stand in a read that only its
	 * end ends, and reaps it before it goes.
	 */
	kill(): void {
		if (this.#fault === undefined) this.#killProcess();
		this.#ended(new CheckerUnavailableError("the compiler was ended"));
		setTimeout(() => void this.#worker.terminate(), REAP_MS).unref();
	}

	#next(): Promise<CompilerReport> {
		if (this.#fault !== undefined) return Promise.reject(this.#fault);
		this.#waiting = Promise.withResolvers();
		return this.#waiting.promise;
	}

	#heard(report: CompilerReport): void {
		if (report.kind === "spawned") {
			this.#pid = report.pid;
			// Given up before it was there.
			if (this.#fault !== undefined) this.#killProcess();
		} else {
			this.#waiting?.resolve(report);
		}
	}

	#ended(fault: CheckerUnavailableError): void {
		this.#fault ??= fault;
		this.#waiting?.reject(this.#fault);
	}

	#killProcess(): void {
		if (this.#pid === undefined) return;
		try {
			process.kill(this.#pid, "SIGKILL");
		} catch {
			// It has ended by itself.
		}
	}
}
