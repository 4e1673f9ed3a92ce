import { dirname } from "node:path";
import { API, type Diagnostic, DiagnosticCategory, type Program } from "typescript/unstable/sync";
import type { ProgramLanguage, ProgramProblem } from "../../ports/programs/program-checker.ts";
import { receiveFrame, sendFrame } from "../../processes/frames/blocking-pipe.ts";
import { absentNameErrors } from "./absent-names.ts";
import { CompilerFiles, DECLARATIONS, PROGRAM_FILES, PROJECT } from "./compiler-files.ts";
import { libraryDirectory } from "./compiler-launch.ts";
import type { CheckMessage, CompilerReport, Diagnosis } from "./compiler-messages.ts";
import { diagnosedProblems, wrapped } from "./diagnosed-problems.ts";
import { stripTypes } from "./strip-types.ts";
import { isShallow } from "./syntax-depth.ts";

/*
 * The process that drives the compiler: it reads one program after another from standard input. A program can harm only its own compiler
 * and type stripper; both end with this process.
 */
const MAX_CHAIN = 3;
const UNSTRIPPABLE: ProgramProblem = {
	message: "The program's types can't be removed. Avoid TypeScript syntax that has to be compiled, such as enums and parameter properties.",
	syntactic: true,
};

class CompilerHost {
	readonly #files: CompilerFiles;
	readonly #api: API;

	/** @param command the command that runs the compiler */
	constructor(command: string) {
		this.#files = new CompilerFiles(libraryDirectory());
		this.#api = new API({ cwd: dirname(PROJECT), fs: this.#files, tsserverPath: command });
		this.#openProject();
	}

	/**
	 * Checks a program and reports the result. Without new declarations, the earlier ones stay in effect.
	 * @throws if the compiler fails or crashes on the program
	 */
	check(language: ProgramLanguage, source: string, declarations: string | undefined): void {
		const wrong = declarations === undefined ? undefined : this.#declare(declarations);
		if (wrong !== undefined) {
			report({ kind: "undeclared" }, wrong);
			return;
		}
		const problems = diagnosedProblems(source, this.#diagnose(language, wrapped(source)));
		const stripped = problems.length > 0 ? undefined : language === "javascript" ? source : strippedOf(source);
		if (stripped !== undefined) report({ kind: "checked" }, stripped);
		else report({ kind: "invalid" }, JSON.stringify(problems.length > 0 ? problems : [UNSTRIPPABLE]));
	}

	#openProject(): void {
		using snapshot = this.#api.updateSnapshot({ openProjects: [PROJECT] });
		const program = snapshot.getProject(PROJECT)?.program;
		if (program === undefined) throw new Error("the compiler did not open the project");
		const [problem] = program.getConfigFileParsingDiagnostics();
		if (problem !== undefined) throw new Error(problem.text);
	}

	/** Replaces the declarations, and returns what is wrong with them, if anything. */
	#declare(declarations: string): string | undefined {
		this.#files.declare(declarations);
		this.#api.clearSourceFileCache();
		using snapshot = this.#api.updateSnapshot({ fileChanges: { changed: [DECLARATIONS] } });
		const program = snapshot.getProject(PROJECT)?.program;
		if (program === undefined) throw new Error("the compiler lost the project");
		const [problem] = [...program.getSyntacticDiagnostics(DECLARATIONS), ...program.getSemanticDiagnostics(DECLARATIONS)];
		return problem?.text;
	}

	#diagnose(language: ProgramLanguage, text: string): Diagnosis {
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
	const absent = syntactic.length > 0 || !shallow ? [] : absentNameErrors(tree);
	return { syntactic: errorsOf(syntactic), semantic: [...errorsOf(semantic), ...absent], shallow, statements: tree.statements.length };
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

/** The program without types; undefined if the type stripper rejects what the compiler accepted. */
function strippedOf(source: string): string | undefined {
	try {
		return stripTypes(source);
	} catch {
		return undefined;
	}
}

function textOfFrame(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString("utf8");
}

function report(message: CompilerReport, text?: string): void {
	sendFrame(message, text === undefined ? [] : [text]);
}

try {
	// Everything on standard input comes from the bridge, except the programs.
	const host = new CompilerHost(textOfFrame(receiveFrame()?.texts[0] ?? new Uint8Array()));
	report({ kind: "ready" });
	for (let frame = receiveFrame(); frame !== undefined; frame = receiveFrame()) {
		const [source = "", declarations] = frame.texts.map(textOfFrame);
		host.check((frame.head as CheckMessage).language, source, declarations);
	}
	process.exit(0);
} catch (error) {
	report({ kind: "failed" }, String(error));
	process.exit(1);
}
