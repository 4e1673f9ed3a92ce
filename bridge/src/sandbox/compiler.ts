import { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { SourceFile } from "typescript/unstable/ast";
import { API, type Diagnostic } from "typescript/unstable/async";
import { CompilerFiles, PROGRAM_FILES, PROJECT } from "./compiler-files.ts";
import { CheckerUnavailableError, type ProgramLanguage } from "./program-checker.ts";
import { TIMED_OUT, within } from "./within.ts";

export interface CompilerOptions {
	/** Text of the `.d.ts` that says what a program may call. */
	readonly declarations: string;
	/** The compiler's executable; default: the one that came with the `typescript` package. */
	readonly executable?: string;
}

export interface Diagnosis {
	readonly syntactic: readonly Diagnostic[];
	readonly semantic: readonly Diagnostic[];
	readonly tree: SourceFile;
}

/** One warm compiler process. It ends with the bridge: its standard input closes. */
export class Compiler {
	readonly #api: API;
	readonly #files: CompilerFiles;
	readonly #process: ChildProcess;
	readonly #died: Promise<never>;

	private constructor(api: API, files: CompilerFiles, process: ChildProcess) {
		this.#api = api;
		this.#files = files;
		this.#process = process;
		this.#died = once(process, "exit").then(() => {
			throw new CheckerUnavailableError("the compiler process ended");
		});
		this.#died.catch(() => undefined); // Nobody may be asking when it dies; the next check sees `alive`.
	}

	/** @throws CheckerUnavailableError when it is not ready within `startMs`, or does not take the declarations. */
	static async start(options: CompilerOptions, startMs: number): Promise<Compiler> {
		let api: API | undefined;
		try {
			const files = new CompilerFiles(options.declarations, libraryDirectory());
			const executable = options.executable === undefined ? {} : { tsserverPath: options.executable };
			api = new API({ cwd: dirname(PROJECT), fs: files, ...executable });
			if ((await within(openProject(api), startMs)) === TIMED_OUT) throw new Error(`no answer within ${startMs} ms`);
			const process = processOf(api);
			if (process === undefined) throw new Error("the compiler's process cannot be reached");
			return new Compiler(api, files, process);
		} catch (cause) {
			if (api !== undefined) end(api, processOf(api));
			throw new CheckerUnavailableError("the compiler did not start", { cause });
		}
	}

	get alive(): boolean {
		return this.#process.exitCode === null && this.#process.signalCode === null;
	}

	/** @throws CheckerUnavailableError when the process dies over it. */
	diagnose(language: ProgramLanguage, text: string): Promise<Diagnosis> {
		return Promise.race([this.#diagnose(language, text), this.#died]);
	}

	/** Ends the process, busy or not. */
	kill(): void {
		end(this.#api, this.#process);
	}

	async #diagnose(language: ProgramLanguage, text: string): Promise<Diagnosis> {
		const file = PROGRAM_FILES[language];
		this.#files.place(language, text);
		this.#api.clearSourceFileCache();
		const snapshot = await this.#api.updateSnapshot({ fileChanges: { changed: Object.values(PROGRAM_FILES) } });
		try {
			const program = snapshot.getProject(PROJECT)?.program;
			const tree = await program?.getSourceFile(file);
			if (program === undefined || tree === undefined) throw new CheckerUnavailableError("the compiler lost the program");
			const syntactic = await program.getSyntacticDiagnostics(file);
			const semantic = syntactic.length > 0 ? [] : await program.getSemanticDiagnostics(file);
			return { syntactic, semantic, tree };
		} finally {
			await snapshot.dispose();
		}
	}
}

async function openProject(api: API): Promise<void> {
	const snapshot = await api.updateSnapshot({ openProjects: [PROJECT] });
	const program = snapshot.getProject(PROJECT)?.program;
	if (program === undefined) throw new Error("the compiler opened no project");
	const problems = [...(await program.getConfigFileParsingDiagnostics()), ...(await program.getGlobalDiagnostics())];
	if (problems[0] !== undefined) throw new Error(problems[0].text);
	await snapshot.dispose();
}

function end(api: API, process: ChildProcess | undefined): void {
	process?.kill("SIGKILL");
	api.close().catch(() => undefined); // Closing what was just killed can only say that it is closed.
}

/** The API offers no way to end a busy compiler, so its process is taken by name; a version that renames it fails at the first start. */
function processOf(api: API): ChildProcess | undefined {
	const client: unknown = Reflect.get(api, "client");
	const child: unknown = typeof client === "object" && client !== null ? Reflect.get(client, "process") : undefined;
	return child instanceof ChildProcess ? child : undefined;
}

/** Where the compiler's own `lib.*.d.ts` lie. */
function libraryDirectory(): string {
	const fromTypescript = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"));
	return join(dirname(fromTypescript.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)), "lib");
}
