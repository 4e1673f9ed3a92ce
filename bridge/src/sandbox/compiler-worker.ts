import { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { API, type Diagnostic, DiagnosticCategory, type Program } from "typescript/unstable/sync";
import { CompilerFiles, DECLARATIONS, PROGRAM_FILES, PROJECT } from "./compiler-files.ts";
import type { CompilerAnswer, CompilerOptions, CompilerQuestion, CompilerReport, Diagnosis } from "./compiler-messages.ts";
import { isShallow } from "./syntax-depth.ts";

/*
 * The thread that talks to the compiler. The compiler's API blocks while it waits, and its other,
 * asynchronous form rejects promises that nobody can catch when the process dies; here both end with
 * the thread.
 */
const MAX_CHAIN = 3;

class CompilerThread {
	readonly #files: CompilerFiles;
	readonly #api: API;

	constructor(options: CompilerOptions) {
		this.#files = new CompilerFiles(options.declarations, libraryDirectory());
		const executable = options.executable === undefined ? {} : { tsserverPath: options.executable };
		this.#api = new API({ cwd: dirname(PROJECT), fs: this.#files, ...executable });
		const child = childOf(this.#api);
		child.on("error", () => undefined); // A process that did not start also fails the first request.
		child.on("exit", () => process.exit(1));
		report({ kind: "spawned", pid: child.pid });
		this.#openProject();
		report({ kind: "ready" });
	}

	answer(question: CompilerQuestion): CompilerAnswer {
		try {
			return { kind: "diagnosis", diagnosis: this.#diagnose(question) };
		} catch (error) {
			return { kind: "failed", message: String(error) };
		}
	}

	#openProject(): void {
		using snapshot = this.#api.updateSnapshot({ openProjects: [PROJECT] });
		const program = snapshot.getProject(PROJECT)?.program;
		if (program === undefined) throw new Error("the compiler opened no project");
		const problems = [...program.getConfigFileParsingDiagnostics(), ...program.getSemanticDiagnostics(DECLARATIONS)];
		if (problems[0] !== undefined) throw new Error(problems[0].text);
	}

	#diagnose({ language, text }: CompilerQuestion): Diagnosis {
		this.#files.place(language, text);
		this.#api.clearSourceFileCache();
		using snapshot = this.#api.updateSnapshot({ fileChanges: { changed: Object.values(PROGRAM_FILES) } });
		const program = snapshot.getProject(PROJECT)?.program;
		if (program === undefined) throw new Error("the compiler lost the project");
		return diagnosisOf(program, PROGRAM_FILES[language]);
	}
}

function diagnosisOf(program: Program, file: string): Diagnosis {
	const tree = program.getSourceFile(file);
	if (tree === undefined) throw new Error("the compiler lost the program");
	const syntactic = program.getSyntacticDiagnostics(file);
	const shallow = isShallow(tree);
	const semantic = syntactic.length > 0 || !shallow ? [] : program.getSemanticDiagnostics(file);
	return { syntactic: errorsOf(syntactic), semantic: errorsOf(semantic), shallow, statements: tree.statements.length };
}

function errorsOf(diagnostics: readonly Diagnostic[]): Diagnosis["syntactic"] {
	return diagnostics
		.filter((diagnostic) => diagnostic.category === DiagnosticCategory.Error)
		.map((diagnostic) => ({ offset: diagnostic.pos, code: diagnostic.code, text: textOf(diagnostic) }));
}

function textOf(diagnostic: Diagnostic): string {
	const texts = [diagnostic.text];
	for (let next = diagnostic.messageChain?.[0]; next !== undefined && texts.length <= MAX_CHAIN; next = next.messageChain?.[0]) {
		texts.push(next.text);
	}
	return texts.join(" ");
}

/** The API does not tell its process, so it is taken by name; a version that renames it fails at the first start. */
function childOf(api: API): ChildProcess {
	let value: unknown = api;
	for (const name of ["client", "channel", "child"])
		value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
	if (!(value instanceof ChildProcess)) throw new Error("the compiler's process cannot be reached");
	return value;
}

/** Where the compiler's own `lib.*.d.ts` lie. */
function libraryDirectory(): string {
	const fromTypescript = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"));
	return join(dirname(fromTypescript.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)), "lib");
}

function report(message: CompilerReport): void {
	parentPort?.postMessage(message);
}

const thread = new CompilerThread(workerData as CompilerOptions);
parentPort?.on("message", (question: CompilerQuestion) => report(thread.answer(question)));
