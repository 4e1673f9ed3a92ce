import type { FileSystem } from "typescript/unstable/fs";
import type { ProgramLanguage } from "../../ports/programs/program-checker.ts";

const ROOT = "/program";
const BLANK = "export {};\n";

export const PROJECT = `${ROOT}/tsconfig.json`;
export const DECLARATIONS = `${ROOT}/declarations.d.ts`;
export const PROGRAM_FILES: Readonly<Record<ProgramLanguage, string>> = {
	typescript: `${ROOT}/program.ts`,
	javascript: `${ROOT}/program.js`,
};

const compilerOptions = {
	strict: true,
	useUnknownInCatchVariables: false,
	target: "es2024",
	lib: ["es2025", "esnext.array", "esnext.error", "esnext.typedarrays"],
	types: [],
	module: "esnext",
	moduleResolution: "bundler",
	moduleDetection: "force",
	allowJs: true,
	checkJs: true,
	erasableSyntaxOnly: true,
	allowUnreachableCode: true,
	noEmit: true,
};

/** The files that the compiler may read: the program, the declarations and its own libraries, but nothing else on this machine. */
export class CompilerFiles implements FileSystem {
	readonly #files: Map<string, string>;
	readonly #libraries: string;

	/** @param libraries absolute path of the folder with the compiler's `lib.*.d.ts` */
	constructor(libraries: string) {
		const files = ["declarations.d.ts", "program.ts", "program.js"];
		this.#libraries = `${libraries}/`;
		this.#files = new Map([
			[PROJECT, JSON.stringify({ compilerOptions, files })],
			[DECLARATIONS, ""],
			[PROGRAM_FILES.typescript, BLANK],
			[PROGRAM_FILES.javascript, BLANK],
		]);
	}

	/** Replaces the declarations. */
	declare(declarations: string): void {
		this.#files.set(DECLARATIONS, declarations);
	}

	/** Replaces the program, which may have been in a different language. */
	place(language: ProgramLanguage, text: string): void {
		this.#files.set(PROGRAM_FILES.typescript, BLANK);
		this.#files.set(PROGRAM_FILES.javascript, BLANK);
		this.#files.set(PROGRAM_FILES[language], text);
	}

	readonly readFile = (name: string): string | null | undefined => {
		return this.#isLibrary(name) ? undefined : (this.#files.get(name) ?? null);
	};

	readonly fileExists = (name: string): boolean | undefined => (this.#isLibrary(name) ? undefined : this.#files.has(name));

	readonly directoryExists = (name: string): boolean => name === ROOT;

	readonly getAccessibleEntries = (name: string): { files: string[]; directories: string[] } => {
		const files = name === ROOT ? [...this.#files.keys()].map((path) => path.slice(ROOT.length + 1)) : [];
		return { files, directories: [] };
	};

	readonly realpath = (name: string): string => name;

	#isLibrary(name: string): boolean {
		return name.startsWith(this.#libraries) && /^lib[\w.]*\.d\.ts$/.test(name.slice(this.#libraries.length));
	}
}
